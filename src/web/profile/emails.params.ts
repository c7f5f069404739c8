import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** What the form of a new address sends, as it was written. */
export class EmailForm {
  @Text({ optional: true, trim: true })
  email = '';
}

/** One of the user's further addresses. */
export class EmailPath {
  @Id()
  email_id!: number;
}

/** The wish to make an address the first one, with the password that proves who asks. */
export class PrimaryForm extends EmailPath {
  @PasswordText()
  current_password = '';
}

/** The token of a mailed link. */
export class LinkTokenParams {
  @Text({ optional: true, maxLength: 200 })
  token = '';
}
