import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** A further address of the signed-in user. */
export class NewUserEmailParams {
  @Text({ trim: true })
  email!: string;
}

/** A further address of any user. */
export class NewEmailOfUserParams extends NewUserEmailParams {
  @Id()
  id!: number;

  @Flag({ optional: true, description: 'true takes the address as confirmed' })
  skip_confirmation?: boolean;
}

/** Names an address of the signed-in user. */
export class UserEmailIdParams {
  @Id()
  email_id!: number;
}

/** Names an address of a user. */
export class EmailOfUserParams extends UserEmailIdParams {
  @Id()
  id!: number;
}
