import { Nested } from '#kernel/http/composite-fields.js';
import { Flag, Text } from '#kernel/http/fields.js';

/** Longer passwords are nobody's; they are refused before they cost anything. */
const MAX_PASSWORD = 1024;

/** What the sign-in form sends; blanks are answered by the page, like wrong ones. */
class Credentials {
  @Text({ optional: true, blank: true, maxLength: 255 })
  login = '';

  @Text({ optional: true, blank: true, maxLength: MAX_PASSWORD })
  password = '';

  @Flag({ optional: true })
  remember_me = false;
}

/** The sign-in form. */
export class SignInForm {
  @Nested(() => Credentials, { optional: true })
  user: Credentials = new Credentials();
}
