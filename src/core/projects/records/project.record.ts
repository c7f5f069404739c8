import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { bothOf, partialOf } from '#kernel/http/fields/derived-fields.js';
import {
  Anything,
  Count,
  Flag,
  Id,
  IsoDate,
  IsoTime,
  OneOf,
  Text,
} from '#kernel/http/fields/scalar-fields.js';
import { GroupLinkRecord } from '#core/groups/group.record.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { FeatureSwitches, PremiumSwitches } from '../settings/feature-switches.js';
import { NotOffered } from '../not-offered.js';
import { PremiumSettings } from '../settings/premium-settings.js';
import { ForkSourceRecord, ProjectLinksRecord, ProjectStatisticsRecord } from './project-parts.record.js';
import { ProjectSettings } from '../settings/project-settings.js';
import { ProjectSimpleRecord } from './project-simple.record.js';

/** Attributes of a project in the premium plan. */
export class ProjectPremiumRecord extends bothOf(PremiumSettings, PremiumSwitches) {
  @IsoDate({ nullable: true })
  marked_for_deletion_at!: string | null;

  @IsoDate({ nullable: true })
  marked_for_deletion_on!: string | null;

  @List(Text())
  compliance_frameworks!: string[];
}

/** Origin of an imported project. */
export class ProjectImportRecord {
  @Text({ nullable: true })
  import_url!: string | null;

  @Text({ nullable: true })
  import_type!: string | null;

  @OneOf(['none', 'scheduled', 'started', 'finished', 'failed'])
  import_status!: string;

  @Text({ nullable: true })
  import_error!: string | null;
}

class Attributes extends bothOf(
  ProjectSimpleRecord,
  bothOf(bothOf(ProjectSettings, NotOffered), FeatureSwitches),
) {}

class AllAttributes extends bothOf(
  bothOf(Attributes, ProjectImportRecord),
  partialOf(ProjectPremiumRecord),
) {}

/** A project as signed-in callers see it. */
export class ProjectRecord extends AllAttributes {
  @Text({ nullable: true })
  container_registry_image_prefix!: string | null;

  @Nested(() => ProjectLinksRecord)
  _links!: ProjectLinksRecord;

  @Flag()
  empty_repo!: boolean;

  @Flag()
  archived!: boolean;

  @OneOf(['private', 'internal', 'public'])
  visibility!: string;

  @Nested(() => UserBasicRecord, {
    optional: true,
    description: "Only of projects in a user's own namespace",
  })
  owner?: UserBasicRecord;

  @Anything({ nullable: true })
  container_expiration_policy!: null;

  @Text({ nullable: true })
  service_desk_address!: string | null;

  @Flag()
  can_create_merge_request_in!: boolean;

  @Flag()
  emails_disabled!: boolean;

  @Id({ nullable: true })
  creator_id!: number | null;

  @Nested(() => ForkSourceRecord, {
    nullable: true,
    description: 'null also when the caller does not see it',
  })
  forked_from_project!: ForkSourceRecord | null;

  @Count({ nullable: true, description: 'Among those that the caller may read; null if they may read none' })
  open_issues_count!: number | null;

  @Text()
  description_html!: string;

  @IsoTime()
  updated_at!: string;

  @Text({
    optional: true,
    nullable: true,
    description: 'For maintainers, in single records; null for tokens that only read',
  })
  runners_token?: string | null;

  @ListOf(() => GroupLinkRecord)
  shared_with_groups!: GroupLinkRecord[];

  @Text({ optional: true, description: 'For administrators' })
  repository_storage?: string;

  @Nested(() => ProjectStatisticsRecord, {
    optional: true,
    description: 'With statistics=true, from Reporter on',
  })
  statistics?: ProjectStatisticsRecord;
}

/** A role of the caller, with the notification level. */
export class AccessLevelRecord {
  @Count()
  access_level!: number;

  @Count()
  notification_level!: number;
}

/** The caller's roles: in the project itself, and in the groups above it. */
export class ProjectPermissionsRecord {
  @Nested(() => AccessLevelRecord, { nullable: true })
  project_access!: AccessLevelRecord | null;

  @Nested(() => AccessLevelRecord, { nullable: true })
  group_access!: AccessLevelRecord | null;
}

/** A project with the caller's roles in it. */
export class ProjectWithAccessRecord extends ProjectRecord {
  @Nested(() => ProjectPermissionsRecord)
  permissions!: ProjectPermissionsRecord;
}

/** A project in the form for the caller and parameters: simple for anonymous callers, else with access. */
export class AnyProjectRecord extends bothOf(ProjectSimpleRecord, partialOf(ProjectWithAccessRecord)) {}
