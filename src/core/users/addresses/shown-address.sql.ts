/**
 * SQL condition: the user with this alias shows the address to everybody. Whether it has been confirmed is not asked here: what is not confirmed
 * may be somebody else's.
 */
export const showsAddressSql = (alias: string, address: string): string =>
  `(lower(${alias}.public_email) = lower(${address}) and not ${alias}.private_profile)`;

/** Scalar expression: the address that the user with this alias shows to everybody, '' where there is none: a private profile shows none. */
export const shownAddressSql = (alias: string): string =>
  `case when ${alias}.private_profile then '' else ${alias}.public_email end`;
