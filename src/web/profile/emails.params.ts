import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { PasswordText } from '../forms/password.field.js';

/** Form of a new address as entered. */
export class EmailForm {
  @Text({ optional: true, trim: true })
  email = '';
}

/** Path parameters of one of the user's secondary addresses. */
export class EmailPath {
  @Id()
  email_id!: number;
}

/** Form that makes an address the primary one, with the password as proof of identity. */
export class PrimaryForm extends EmailPath {
  @PasswordText()
  current_password = '';
}

/** Token of an emailed link. */
export class LinkTokenParams {
  @Text({ optional: true, maxLength: 200 })
  token = '';
}
