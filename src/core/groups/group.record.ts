import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Flag, Id, IsoDate, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { SharedRunnersSetting } from './settings/group-settings.js';

/** Storage use of a group, for administrators who request it. */
export class GroupStatisticsRecord {
  @Count()
  storage_size!: number;

  @Count()
  repository_size!: number;

  @Count()
  wiki_size!: number;

  @Count()
  lfs_objects_size!: number;

  @Count()
  job_artifacts_size!: number;

  @Count()
  pipeline_artifacts_size!: number;

  @Count()
  packages_size!: number;

  @Count()
  snippets_size!: number;

  @Count()
  uploads_size!: number;
}

/** A group in records of what belongs to it. */
export class GroupBasicRecord {
  @Id()
  id!: number;

  @Text()
  web_url!: string;

  @Text()
  name!: string;
}

/**
 * A group in lists (`auth-core.md` 6.2); optional attributes belong to the premium plan or to administrators.
 */
export class GroupRecord extends GroupBasicRecord {
  @Text()
  path!: string;

  @Text()
  description!: string;

  @Text({ example: 'private' })
  visibility!: string;

  @Flag()
  share_with_group_lock!: boolean;

  @Flag()
  require_two_factor_authentication!: boolean;

  @Count()
  two_factor_grace_period!: number;

  @Text({ example: 'developer' })
  project_creation_level!: string;

  @Flag({ nullable: true })
  auto_devops_enabled!: boolean | null;

  @Text({ example: 'maintainer' })
  subgroup_creation_level!: string;

  @Flag({ nullable: true })
  emails_disabled!: boolean | null;

  @Flag()
  emails_enabled!: boolean;

  @Flag({ nullable: true })
  mentions_disabled!: boolean | null;

  @Flag({ description: 'Always false: not supported' })
  lfs_enabled!: boolean;

  @Count()
  default_branch_protection!: number;

  @Text({ nullable: true })
  avatar_url!: string | null;

  @Flag()
  request_access_enabled!: boolean;

  @Text()
  full_name!: string;

  @Text()
  full_path!: string;

  @IsoTime()
  created_at!: string;

  @Id({ nullable: true })
  parent_id!: number | null;

  @Text({ example: 'enabled' })
  shared_runners_setting!: SharedRunnersSetting;

  @Nested(() => GroupStatisticsRecord, { optional: true })
  statistics?: GroupStatisticsRecord;

  @Text({ optional: true, nullable: true })
  ldap_cn?: string | null;

  @Count({ optional: true, nullable: true })
  ldap_access?: number | null;

  @Id({ optional: true, nullable: true })
  file_template_project_id?: number | null;

  @IsoDate({ optional: true, nullable: true })
  marked_for_deletion_on?: string | null;

  @Text({ optional: true })
  wiki_access_level?: string;

  @Text({ optional: true, description: 'For administrators' })
  repository_storage?: string;
}

/** A group with which another group or a project is shared. */
export class GroupLinkRecord {
  @Id()
  group_id!: number;

  @Text()
  group_name!: string;

  @Text()
  group_full_path!: string;

  @Count()
  group_access_level!: number;

  @IsoDate({ nullable: true })
  expires_at!: string | null;
}

/** A single group. */
export class GroupDetailRecord extends GroupRecord {
  @ListOf(() => GroupLinkRecord)
  shared_with_groups!: GroupLinkRecord[];

  @Text({
    optional: true,
    nullable: true,
    description:
      'For owners: registers runners for the projects in the group; null for tokens that only read',
  })
  runners_token?: string | null;

  @Flag()
  prevent_sharing_groups_outside_hierarchy!: boolean;

  @List(Anything(), { optional: true, description: 'Projects in the group, at most 100' })
  projects?: object[];

  @List(Anything(), { optional: true, description: 'Projects of others, shared with the group, at most 100' })
  shared_projects?: object[];

  @Count({ optional: true, nullable: true })
  shared_runners_minutes_limit?: number | null;

  @Count({ optional: true, nullable: true })
  extra_shared_runners_minutes_limit?: number | null;

  @Flag({ optional: true, nullable: true })
  prevent_forking_outside_group?: boolean | null;

  @Flag({ optional: true })
  membership_lock?: boolean;

  @Text({ optional: true, nullable: true })
  ip_restriction_ranges?: string | null;
}
