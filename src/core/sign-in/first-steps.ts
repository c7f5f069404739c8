/** State of somebody whose password must be changed first; no account is stored like that. */
export const PASSWORD_EXPIRED = 'password_expired';

/** State of somebody whose time to set up a second factor is over; no account is stored like that. */
export const SECOND_FACTOR_DUE = 'second_factor_due';

/** Where an expired password is changed. */
export const EXPIRED_PASSWORD_PATH = '/-/profile/password/new';

/** Where second factors are set up. */
export const SECOND_FACTOR_PATH = '/-/profile/two_factor_auth';

/** The pages on which people in these states do what they have to do before anything else. */
export const FIRST_STEPS: ReadonlyMap<string, string> = new Map([
  [PASSWORD_EXPIRED, EXPIRED_PASSWORD_PATH],
  [SECOND_FACTOR_DUE, SECOND_FACTOR_PATH],
]);
