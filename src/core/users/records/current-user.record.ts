import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, IsoDate, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { UserProfileRecord } from './user-profile.record.js';

/** Identity of a user at an external provider. */
export class UserIdentityRecord {
  @Text()
  provider!: string;

  @Text()
  extern_uid!: string;
}

/** The signed-in user. */
export class CurrentUserRecord extends UserProfileRecord {
  @IsoTime({ nullable: true })
  last_sign_in_at!: string | null;

  @IsoTime({ nullable: true })
  confirmed_at!: string | null;

  @IsoDate({ nullable: true })
  last_activity_on!: string | null;

  @Text()
  email!: string;

  @Id()
  theme_id!: number;

  @Id()
  color_scheme_id!: number;

  @Count()
  projects_limit!: number;

  @IsoTime({ nullable: true })
  current_sign_in_at!: string | null;

  @ListOf(() => UserIdentityRecord)
  identities!: UserIdentityRecord[];

  @Flag()
  can_create_group!: boolean;

  @Flag()
  can_create_project!: boolean;

  @Flag()
  two_factor_enabled!: boolean;

  @Flag()
  external!: boolean;

  @Flag()
  private_profile!: boolean;

  @Text()
  commit_email!: string;

  @Count({ nullable: true })
  shared_runners_minutes_limit!: number | null;

  @Count({ nullable: true })
  extra_shared_runners_minutes_limit!: number | null;
}
