import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Integer, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { VISIBILITIES, type Visibility } from './namespaces/namespace.entity.js';
import type { SharedRunnersSetting } from './settings/group-settings.js';
import { AvatarFile } from '#core/avatars/avatar-field.js';
import type { SentImage } from '#kernel/http/fields/image-field.js';

/** Filters and order of lists of groups. */
export class ListGroupsParams {
  @List(Id(), { optional: true, commaSeparated: true })
  skip_groups?: number[];

  @Flag({
    optional: true,
    description: 'All groups that the caller can see, not only those in which they have a role',
  })
  all_available?: boolean;

  @Text({ optional: true, maxLength: 255, description: 'Part of the name or path' })
  search?: string;

  @OneOf(['name', 'path', 'id', 'similarity'], { optional: true, description: 'similarity needs search' })
  order_by?: 'name' | 'path' | 'id' | 'similarity';

  @OneOf(['asc', 'desc'], { optional: true })
  sort?: 'asc' | 'desc';

  @Flag({ optional: true, description: 'Sizes, for administrators' })
  statistics?: boolean;

  @OneOf(VISIBILITIES, { optional: true })
  visibility?: Visibility;

  @Flag({ optional: true, description: 'Only groups that the caller owns' })
  owned?: boolean;

  @OneOf([10, 20, 30, 40, 50], { optional: true, description: 'Lowest role of the caller in them' })
  min_access_level?: number;

  @Flag({ optional: true })
  top_level_only?: boolean;

  @Flag({ optional: true, description: 'Accepted, but ignored: there are no custom attributes' })
  with_custom_attributes?: boolean;
}

/** Parameters that creating and updating share. */
export class GroupFields {
  @Text({ optional: true, maxLength: 5_000 })
  description?: string;

  @OneOf(VISIBILITIES, { optional: true })
  visibility?: Visibility;

  @Flag({ optional: true })
  share_with_group_lock?: boolean;

  @Flag({ optional: true })
  require_two_factor_authentication?: boolean;

  @Integer({ optional: true, min: 0, max: 100_000, description: 'Hours' })
  two_factor_grace_period?: number;

  @OneOf(['noone', 'maintainer', 'developer'], { optional: true })
  project_creation_level?: 'noone' | 'maintainer' | 'developer';

  @Flag({ optional: true, nullable: true })
  auto_devops_enabled?: boolean | null;

  @OneOf(['owner', 'maintainer'], { optional: true })
  subgroup_creation_level?: 'owner' | 'maintainer';

  @Flag({ optional: true, nullable: true })
  emails_disabled?: boolean | null;

  @Flag({ optional: true, description: 'The opposite of emails_disabled' })
  emails_enabled?: boolean;

  @Flag({ optional: true, nullable: true })
  mentions_disabled?: boolean | null;

  @Flag({ optional: true, description: 'Accepted for compatibility, without effect' })
  lfs_enabled?: boolean;

  @OneOf([0, 1, 2, 3, 4], { optional: true })
  default_branch_protection?: number;

  @Flag({ optional: true })
  request_access_enabled?: boolean;

  @OneOf(['enabled', 'disabled_and_overridable', 'disabled_and_unoverridable', 'disabled_with_override'], {
    optional: true,
  })
  shared_runners_setting?: SharedRunnersSetting;

  @Flag({ optional: true })
  prevent_sharing_groups_outside_hierarchy?: boolean;

  @Flag({ optional: true, description: 'Premium: projects cannot have members of their own' })
  membership_lock?: boolean;

  @Flag({ optional: true, nullable: true, description: 'Premium' })
  prevent_forking_outside_group?: boolean | null;

  @OneOf(['disabled', 'private', 'enabled'], { optional: true, description: 'Premium' })
  wiki_access_level?: 'disabled' | 'private' | 'enabled';

  @Id({ optional: true, nullable: true, description: 'Premium' })
  file_template_project_id?: number | null;

  @Integer({ optional: true, nullable: true, min: 0, max: 2_147_483_647, description: 'Administrators' })
  shared_runners_minutes_limit?: number | null;

  @Integer({ optional: true, nullable: true, min: 0, max: 2_147_483_647, description: 'Administrators' })
  extra_shared_runners_minutes_limit?: number | null;

  @AvatarFile({ optional: true })
  avatar?: SentImage | null;
}

/** Parameters of a new group. */
export class CreateGroupParams extends GroupFields {
  @Text({ maxLength: 255 })
  name!: string;

  @Text({ maxLength: 255 })
  path!: string;

  @Id({ optional: true, nullable: true })
  parent_id?: number | null;
}

/** Parameters of an update of a group. */
export class UpdateGroupParams extends GroupFields {
  @Text({ optional: true, blank: false, maxLength: 255 })
  name?: string;

  @Text({ optional: true, blank: false, maxLength: 255 })
  path?: string;
}

/** Parameters of a single group. */
export class ShowGroupParams {
  @Flag({ optional: true, description: 'With the projects in it and those shared with it; default true' })
  with_projects?: boolean;

  @Flag({ optional: true, description: 'Accepted, but ignored: there are no custom attributes' })
  with_custom_attributes?: boolean;
}

/** Parameters of a deletion. */
export class DeleteGroupParams {
  @Flag({ optional: true, description: 'Immediately, even if deleted groups are kept for some days' })
  permanently_remove?: boolean;
}

/** Parameters of a transfer; without a target, to the top level. */
export class TransferGroupParams {
  @Id({ optional: true, nullable: true })
  group_id?: number | null;
}

/** Parameters for sharing with a group. */
export class ShareGroupParams {
  @Id()
  group_id!: number;

  @OneOf([10, 20, 30, 40, 50])
  group_access!: number;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;
}

/** Parameters for ending a share. */
export class UnshareGroupParams {
  @Id()
  group_id!: number;
}
