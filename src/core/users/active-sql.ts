/** SQL condition: the account of the user with this alias may act at all. */
export const isActiveSql = (alias: string): string =>
  `${alias}.state = 'active' and not ${alias}.pending_delete`;
