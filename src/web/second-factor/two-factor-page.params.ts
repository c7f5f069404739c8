import { Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** Form that proves a new authenticator. Missing values are reported by the page, like wrong ones. */
export class SetUpForm {
  /** The secret that the page showed, encrypted so that only this service can read it. */
  @Text({ optional: true, maxLength: 1000 })
  sealed_secret = '';

  @Text({ optional: true, maxLength: 100 })
  code = '';

  /** Required so that someone who finds a signed-in browser cannot lock its owner out. */
  @PasswordText()
  current_password = '';
}

/** Form that turns off the second factor: a session alone is not enough. */
export class TurnOffForm {
  @PasswordText()
  current_password = '';
}

/** Form that requests new recovery codes. */
export class RenewForm {
  @PasswordText()
  password = '';
}
