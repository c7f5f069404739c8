import { Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** The form that proves a new authenticator. Blank fields are answered by the page, like wrong ones. */
export class SetUpForm {
  /** The secret that the page showed, as only this service can read it. */
  @Text({ optional: true, maxLength: 1000 })
  sealed_secret = '';

  @Text({ optional: true, maxLength: 100 })
  code = '';

  /** Whoever finds a browser that is signed in must not lock its owner out. */
  @PasswordText()
  current_password = '';
}

/** The form that turns a second factor off: a session alone does not suffice. */
export class TurnOffForm {
  @PasswordText()
  current_password = '';
}

/** The form that asks for new recovery codes. */
export class RenewForm {
  @PasswordText()
  password = '';
}
