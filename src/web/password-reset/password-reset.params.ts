import { Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** Where somebody wants a link to be sent. One text: lists of addresses are refused (CVE-2023-7028). */
export class RequestLinkParams {
  @Text({ optional: true, trim: true, maxLength: 254 })
  email = '';
}

/** The token of a mailed link. */
export class ResetLinkParams {
  @Text({ optional: true, maxLength: 200 })
  reset_password_token = '';
}

/** The new password, twice, so that a slip of the keyboard locks nobody out. */
export class NewPasswordParams extends ResetLinkParams {
  @PasswordText()
  password = '';

  @PasswordText()
  password_confirmation = '';
}
