const ID = /^\d{1,15}$/;

/** SQL condition on a license `l` by the id or case-insensitive name of a URL, with the value of `$2`. */
export const licenseCondition = (idOrName: string): { sql: string; value: number | string } =>
  ID.test(idOrName)
    ? { sql: 'l.id = $2', value: Number(idOrName) }
    : { sql: 'lower(l.name) = lower($2)', value: idOrName };
