import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';

/** What the second step of a sign-in asks for; a blank is answered by the page, like a wrong code. */
class SecondFactor {
  @Text({ optional: true, maxLength: 255 })
  otp_attempt = '';
}

/** The form of the second step, named like that of the first. */
export class CodeForm {
  @Nested(() => SecondFactor, { optional: true })
  user: SecondFactor = new SecondFactor();
}
