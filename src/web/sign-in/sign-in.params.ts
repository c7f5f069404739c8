import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** Fields of the sign-in form; missing ones are reported by the page, like wrong ones. */
class Credentials {
  @Text({ optional: true, maxLength: 255 })
  login = '';

  @PasswordText()
  password = '';

  @Flag({ optional: true })
  remember_me = false;
}

/** The sign-in form. */
export class SignInForm {
  @Nested(() => Credentials, { optional: true })
  user: Credentials = new Credentials();
}
