import { ANY_WHOLE, Flag, Id, IdAlone, Integer, Text } from '#kernel/http/fields/scalar-fields.js';
import type { SentImage } from '#kernel/http/fields/image-field.js';
import { AvatarFile } from '#core/avatars/avatar-field.js';

/** Deprecated for v5: only true and false will be accepted (`api-v4.md` 9). */
const NULL_PRIVATE_PROFILE = {
  since: '2023-05-22',
  sunset: '2028-05-22',
  when: (raw: unknown): boolean => raw === null || raw === '',
};

/** Attributes that creating and updating a user share. */
export class UserAttributesParams {
  @Text({ optional: true, blank: true })
  password?: string;

  @Flag({ optional: true })
  admin?: boolean;

  @Flag({ optional: true })
  can_create_group?: boolean;

  @Flag({ optional: true })
  external?: boolean;

  @Integer({ optional: true, ...ANY_WHOLE, description: '0 to 2147483647' })
  projects_limit?: number;

  @Flag({
    optional: true,
    nullable: true,
    nullIsDefault: true,
    deprecated: NULL_PRIVATE_PROFILE,
    description: 'null is the default',
  })
  private_profile?: boolean | null;

  @Text({ optional: true })
  bio?: string;

  @Text({ optional: true })
  location?: string;

  @Text({ optional: true })
  public_email?: string;

  @Text({ optional: true })
  commit_email?: string;

  @Text({ optional: true })
  skype?: string;

  @Text({ optional: true })
  linkedin?: string;

  @Text({ optional: true })
  twitter?: string;

  @Text({ optional: true })
  discord?: string;

  @Text({ optional: true })
  website_url?: string;

  @Text({ optional: true })
  organization?: string;

  @Text({ optional: true })
  job_title?: string;

  @Text({ optional: true, nullable: true })
  pronouns?: string | null;

  @Text({ optional: true, nullable: true, description: 'Seen by administrators only' })
  note?: string | null;

  @Id({ optional: true, description: '1 to 11' })
  theme_id?: number;

  @Id({ optional: true, description: '1 to 6' })
  color_scheme_id?: number;

  @Text({ optional: true })
  extern_uid?: string;

  @Text({ optional: true })
  provider?: string;

  @AvatarFile({ optional: true })
  avatar?: SentImage | null;
}

/** Parameters of a new user; one of the last four is required. */
export class NewUserParams extends UserAttributesParams {
  @Text({ trim: true })
  email!: string;

  @Text({ trim: true })
  name!: string;

  @Text({ trim: true })
  username!: string;

  @Flag({ optional: true, description: 'The user gets a random password and a mail for setting a new one' })
  reset_password?: boolean;

  @Flag({ optional: true, description: 'Sets a random password that nobody knows' })
  force_random_password?: boolean;

  @Flag({ optional: true, description: 'false leaves the address unconfirmed' })
  skip_confirmation?: boolean;
}

/** Parameters of an update of a user. */
export class UserUpdateParams extends UserAttributesParams {
  @Id()
  id!: number;

  @Text({ optional: true, blank: false, trim: true })
  email?: string;

  @Text({ optional: true, blank: false, trim: true })
  name?: string;

  @Text({ optional: true, blank: false, trim: true })
  username?: string;

  @Flag({ optional: true, description: 'A new address needs no confirmation either way' })
  skip_reconfirmation?: boolean;
}

/** Id of a user. */
export class UserIdParams {
  @Id()
  id!: number;
}

/** Id of a user to look up; may also be a name, since clients check whether a user exists. */
export class FindUserParams {
  @IdAlone()
  id!: number;
}

/** Parameters of a removal. */
export class DeleteUserParams extends UserIdParams {
  @Flag({
    optional: true,
    description: 'Solely owned groups, snippets, votes, approvals and events go too',
  })
  hard_delete?: boolean;
}

/** Id or username of a user. */
export class UserIdOrNameParams {
  @Text({ maxLength: 255 })
  id!: string;
}
