const ADMIN_MODE = `coalesce((select (admin_setting.values ->> 'admin_mode')::boolean from application_settings admin_setting
  where admin_setting.id = 1), false)`;

/**
 * SQL condition: the user with this alias has the rights of administrators where nothing but their id is known: in jobs, and for whoever is told
 * of something. In admin mode nobody has: rights are asked for with a credential then, and what is stored does not say whether they were.
 */
export const isAdminSql = (alias: string): string => `(${alias}.admin and not ${ADMIN_MODE})`;

/**
 * SQL condition: a user acts as an administrator. `said` is an expression: what the caller of a request does, and null where there is no request,
 * so that the account of the user with the alias decides.
 */
export const actsAsAdminSql = (said: string, alias: string): string =>
  `coalesce((${said})::boolean, ${isAdminSql(alias)})`;

/** Scalar expression: what a deed of before says of the rights that it was done with (null: nothing), as far as the user with the alias still has them. */
export const didAsAdminSql = (said: string, alias: string): string =>
  `((${said})::boolean and ${alias}.admin)`;
