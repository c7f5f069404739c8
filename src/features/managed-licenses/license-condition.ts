const ID = /^\d{1,15}$/;

/** SQL for what names a license `l` in a URL, its id or its name in any case, with the value of `$2`. */
export const licenseCondition = (idOrName: string): { sql: string; value: number | string } =>
  ID.test(idOrName)
    ? { sql: 'l.id = $2', value: Number(idOrName) }
    : { sql: 'lower(l.name) = lower($2)', value: idOrName };
