/** SQL condition: the account of the user with this alias may act at all, and need not change its password first. */
export const isActiveSql = (alias: string): string =>
  `${alias}.state = 'active' and not ${alias}.pending_delete
    and not (${alias}.user_type = 'human' and coalesce(${alias}.password_expires_at <= now(), false))`;
