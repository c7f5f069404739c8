import { Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/**
 * Address to which a link should be sent. A single string: lists of addresses are rejected (CVE-2023-7028).
 */
export class RequestLinkParams {
  @Text({ optional: true, trim: true, maxLength: 254 })
  email = '';
}

/** Token of an emailed link. */
export class ResetLinkParams {
  @Text({ optional: true, maxLength: 200 })
  reset_password_token = '';
}

/** The new password, entered twice so that a typo does not lock the user out. */
export class NewPasswordParams extends ResetLinkParams {
  @PasswordText()
  password = '';

  @PasswordText()
  password_confirmation = '';
}
