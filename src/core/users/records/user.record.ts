import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { recordBetween } from '#kernel/http/fields/partial-record.js';
import { CurrentUserRecord } from './current-user.record.js';
import { UserBasicRecord } from './user-basic.record.js';

/** A user as administrators see it in lists and after updates. */
export class UserAdminRecord extends CurrentUserRecord {
  @Flag()
  is_admin!: boolean;

  @Text({ nullable: true })
  note!: string | null;

  @Id({ nullable: true })
  namespace_id!: number | null;

  @Nested(() => UserBasicRecord, { nullable: true })
  created_by!: UserBasicRecord | null;

  @IsoTime({ nullable: true })
  email_reset_offered_at!: string | null;

  @Flag()
  is_auditor!: boolean;

  @Flag({ description: 'Whether the account counts as a user of the license' })
  using_license_seat!: boolean;

  @Id({ nullable: true })
  provisioned_by_group_id!: number | null;
}

/** A single user as administrators see it. */
export class UserAdminDetailRecord extends UserAdminRecord {
  @Count({ description: 'Greatest access level of all memberships, 0 for none' })
  highest_role!: number;

  @Text({ nullable: true })
  current_sign_in_ip!: string | null;

  @Text({ nullable: true })
  last_sign_in_ip!: string | null;

  @Count()
  sign_in_count!: number;

  @Text({ nullable: true })
  plan!: string | null;

  @Flag({ nullable: true })
  trial!: boolean | null;
}

/** A user in lists: the short form, or more for administrators. */
export const UserListRecord = recordBetween('UserListRecord', UserBasicRecord, UserAdminRecord);

/** A single user: the short form of a private profile, the profile, or everything for administrators. */
export const UserRecord = recordBetween('UserRecord', UserBasicRecord, UserAdminDetailRecord);

/** The signed-in user, with more for administrators. */
export const OwnUserRecord = recordBetween('OwnUserRecord', CurrentUserRecord, UserAdminRecord);
