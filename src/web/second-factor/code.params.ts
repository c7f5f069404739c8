import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Field of the second step of a sign-in; a missing code is reported by the page like a wrong one. */
class SecondFactor {
  @Text({ optional: true, maxLength: 255 })
  otp_attempt = '';
}

/** Form of the second step, with the same field prefix as the first. */
export class CodeForm {
  @Nested(() => SecondFactor, { optional: true })
  user: SecondFactor = new SecondFactor();
}
