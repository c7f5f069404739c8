/**
 * SQL condition: the user with this alias shows the address publicly. Does not check whether it is confirmed:
 * an unconfirmed address may belong to another person.
 */
export const showsAddressSql = (alias: string, address: string): string =>
  `(lower(${alias}.public_email) = lower(${address}) and not ${alias}.private_profile)`;

/**
 * SQL expression: the public email address of the user with this alias; '' if there is none or the profile is
 * private.
 */
export const shownAddressSql = (alias: string): string =>
  `case when ${alias}.private_profile then '' else ${alias}.public_email end`;
