import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Filters of direct members. */
export class ListMembersParams {
  @Text({ optional: true, maxLength: 255, description: 'Part of the name or username, or the whole address' })
  query?: string;

  @List(Id(), { optional: true, commaSeparated: true, maxItems: 100 })
  user_ids?: number[];

  @List(Id(), { optional: true, commaSeparated: true, maxItems: 100 })
  skip_users?: number[];

  @Flag({ optional: true, description: 'Include whether the member uses a seat' })
  show_seat_info?: boolean;
}

/** Filters of direct, inherited and invited members. */
export class ListAllMembersParams extends ListMembersParams {
  @OneOf(['active', 'awaiting'], { optional: true, description: 'Premium; memberships never await approval' })
  state?: 'active' | 'awaiting';
}

/** Path parameters of a member. */
export class NamedMemberParams {
  @Id()
  user_id!: number;
}

/** Parameters of a new member. */
export class AddMemberParams {
  @Text({ unless: 'username', description: 'Id of a user, or several with commas between' })
  user_id?: string;

  @Text({ optional: true, maxLength: 255, description: 'Instead of the id' })
  username?: string;

  @Id()
  access_level!: number;

  @IsoDate({ optional: true, nullable: true, description: 'Day on which the membership expires' })
  expires_at?: string | null;
}

/** Parameters of an update: role or expiry. */
export class UpdateMemberParams extends NamedMemberParams {
  @Id()
  access_level!: number;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;
}

/** Parameters of a removal. */
export class RemoveMemberParams extends NamedMemberParams {
  @Flag({ optional: true, description: 'Keep memberships in subgroups and projects below' })
  skip_subresources?: boolean;

  @Flag({ optional: true, description: 'Also take the user off issues and merge requests' })
  unassign_issuables?: boolean;
}
