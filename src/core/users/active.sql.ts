import { isHumanSql } from './person.sql.js';

/** SQL condition: the user with this alias must change its password before anything else. */
export const passwordExpiredSql = (alias: string): string =>
  `(${isHumanSql(alias)} and coalesce(${alias}.password_expires_at <= now(), false))`;

/**
 * SQL condition: the account of the user with this alias is active (the ghost never is) and need not change
 * its password first.
 */
export const isActiveSql = (alias: string): string =>
  `${alias}.state = 'active' and not ${alias}.pending_delete and ${alias}.user_type <> 'ghost'
    and not ${passwordExpiredSql(alias)}`;
