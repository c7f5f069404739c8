const ADMIN_MODE = `coalesce((select (admin_setting.values ->> 'admin_mode')::boolean from application_settings admin_setting
  where admin_setting.id = 1), false)`;

/**
 * SQL condition: the user with this alias has administrator rights where only the id is known: in jobs and
 * for recipients of notifications. Never true in admin mode, in which these rights need a credential and are
 * not stored.
 */
export const isAdminSql = (alias: string): string => `(${alias}.admin and not ${ADMIN_MODE})`;

/**
 * SQL condition: a user acts as an administrator. `said`: an expression for what the caller of a request
 * does; null without a request, so that the account of the user with the alias decides.
 */
export const actsAsAdminSql = (said: string, alias: string): string =>
  `coalesce((${said})::boolean, ${isAdminSql(alias)})`;

/**
 * SQL expression: with which rights an earlier action was done (null: unknown), if the user with the alias
 * still has them.
 */
export const didAsAdminSql = (said: string, alias: string): string =>
  `((${said})::boolean and ${alias}.admin)`;
