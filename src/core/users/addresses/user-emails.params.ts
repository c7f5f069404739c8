import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** Parameters of a new secondary address of the signed-in user. */
export class NewUserEmailParams {
  @Text({ trim: true })
  email!: string;
}

/** Parameters of a new secondary address of any user. */
export class NewEmailOfUserParams extends NewUserEmailParams {
  @Id()
  id!: number;

  @Flag({ optional: true, description: 'true takes the address as confirmed' })
  skip_confirmation?: boolean;
}

/** Id of an address of the signed-in user. */
export class UserEmailIdParams {
  @Id()
  email_id!: number;
}

/** Id of an address of a user. */
export class EmailOfUserParams extends UserEmailIdParams {
  @Id()
  id!: number;
}
