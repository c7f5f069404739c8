import { Nested } from '#kernel/http/composite-fields.js';
import { Text } from '#kernel/http/fields.js';

/** Longer ones are refused before they cost anything. */
const MAX_PASSWORD = 1024;

/** The three passwords of the form; blanks are answered by the page. */
class Passwords {
  @Text({ optional: true, blank: true, maxLength: MAX_PASSWORD })
  current_password = '';

  @Text({ optional: true, blank: true, maxLength: MAX_PASSWORD })
  password = '';

  @Text({ optional: true, blank: true, maxLength: MAX_PASSWORD })
  password_confirmation = '';
}

/** The form that changes a password. */
export class PasswordForm {
  @Nested(() => Passwords, { optional: true })
  user: Passwords = new Passwords();
}
