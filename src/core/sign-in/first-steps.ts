/** State of a user who must first change the password; never stored. */
export const PASSWORD_EXPIRED = 'password_expired';

/** State of a user whose grace period for a second factor is over; never stored. */
export const SECOND_FACTOR_DUE = 'second_factor_due';

/** Page to change an expired password. */
export const EXPIRED_PASSWORD_PATH = '/-/profile/password/new';

/** Page to set up a second factor. */
export const SECOND_FACTOR_PATH = '/-/profile/two_factor_auth';

/** Pages on which users in these states must act first. */
export const FIRST_STEPS: ReadonlyMap<string, string> = new Map([
  [PASSWORD_EXPIRED, EXPIRED_PASSWORD_PATH],
  [SECOND_FACTOR_DUE, SECOND_FACTOR_PATH],
]);
