import { Nested } from '#kernel/http/fields/composite-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** The three passwords of the form; missing ones are reported by the page. */
class Passwords {
  @PasswordText()
  current_password = '';

  @PasswordText()
  password = '';

  @PasswordText()
  password_confirmation = '';
}

/** Form for changing the password. */
export class PasswordForm {
  @Nested(() => Passwords, { optional: true })
  user: Passwords = new Passwords();
}
