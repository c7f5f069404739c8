import type { Role } from '#kernel/access/roles.js';
import { AtLeastOne } from '#kernel/http/fields/at-least-one.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { bothOf, partialOf } from '#kernel/http/fields/derived-fields.js';
import { Flag, Id, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { BRANCH_NAME } from '#core/instance/settings/setting-fields.js';
import { FeatureSwitches, PremiumSwitches } from './settings/feature-switches.js';
import { NotOffered } from './not-offered.js';
import { PremiumSettings } from './settings/premium-settings.js';
import { ProjectSettings } from './settings/project-settings.js';
import { AvatarFile } from '#core/avatars/avatar-field.js';
import type { SentImage } from '#kernel/http/fields/image-field.js';

class SettingsParams extends bothOf(
  bothOf(partialOf(ProjectSettings), partialOf(NotOffered)),
  bothOf(partialOf(FeatureSwitches), bothOf(partialOf(PremiumSettings), partialOf(PremiumSwitches))),
) {}

/** Attributes that creating and updating a project share. */
@AtLeastOne('name')
export class ProjectAttributesParams extends SettingsParams {
  @Text({ optional: true, maxLength: 255, blank: false })
  name?: string;

  @Text({ optional: true, maxLength: 255, blank: false })
  path?: string;

  @Text({ optional: true, nullable: true, maxLength: 2000 })
  description?: string | null;

  @OneOf(VISIBILITIES, { optional: true })
  visibility?: Visibility;

  @Text({ optional: true, maxLength: 255, blank: false, matches: BRANCH_NAME })
  default_branch?: string;

  @List(Text({ maxLength: 255 }), { optional: true, commaSeparated: true, maxItems: 100 })
  topics?: string[];

  @List(Text({ maxLength: 255 }), {
    optional: true,
    commaSeparated: true,
    maxItems: 100,
    description: 'The older name of topics',
  })
  tag_list?: string[];

  @Flag({ optional: true, description: 'The opposite of emails_enabled' })
  emails_disabled?: boolean;

  @Flag({ optional: true, description: 'The older name of public_jobs' })
  public_builds?: boolean;

  @Text({ optional: true, maxLength: 255, description: 'For administrators; ignored for others' })
  repository_storage?: string;

  @AvatarFile({ optional: true })
  avatar?: SentImage | null;
}

/** Parameters of a new project, wherever it is created. */
export class NewProjectParams extends ProjectAttributesParams {
  @Flag({ optional: true, description: 'Whether it is initialized with a README.md' })
  initialize_with_readme?: boolean;
}

/** Parameters of a new project in a namespace that the caller chooses. */
export class CreateProjectParams extends NewProjectParams {
  @Text({
    optional: true,
    blankIsNull: true,
    description: "Id or full path of the namespace; default the caller's own",
  })
  namespace_id?: string;
}

/** Parameters of a new project in a user's namespace. */
export class CreateProjectForUserParams extends NewProjectParams {
  @Id()
  user_id!: number;
}

/** Parameters of a single project. */
export class ReadProjectParams {
  @Flag({ optional: true, description: 'Add the sizes, from Reporter on' })
  statistics?: boolean;
}

/** Parameters for sharing a project with a group. */
export class ShareProjectParams {
  @Id()
  group_id!: number;

  @OneOf([10, 20, 30, 40, 50])
  group_access!: Role;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;
}

/** Parameters for ending a share. */
export class UnshareProjectParams {
  @Id()
  group_id!: number;
}

/** Parameters of a transfer. */
export class TransferProjectParams {
  @Text({ description: 'Id or full path of the namespace' })
  namespace!: string;
}

/** Parameters of a transfer into the group. */
export class TransferToGroupParams {
  @Text({ description: 'Id or full path of the project' })
  project_id!: string;
}

/** Parameters of a deletion. */
export class DeleteProjectParams {
  @Flag({ optional: true, description: 'Immediately, without a grace period' })
  permanently_remove?: boolean;
}
