import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

const NAME = /^[a-z0-9_][\w.:-]*$/i;
const VALUE = /^(true|false|100|\d{1,2}(\.\d{1,4})?)$/i;

/** Name of a flag. */
export class NameFeatureParams {
  @Text({ maxLength: 255, matches: NAME })
  name!: string;
}

/** Value of a flag, and for which users; lists of names are comma-separated. */
export class SetFeatureParams extends NameFeatureParams {
  @Text({ maxLength: 10, matches: VALUE, description: '`true`, `false` or a percentage', example: 'true' })
  value!: string;

  @OneOf(['percentage_of_actors', 'percentage_of_time'], {
    optional: true,
    description: 'What the percentage is of; default: of time',
  })
  key?: 'percentage_of_actors' | 'percentage_of_time';

  @Text({ optional: true, description: 'Feature group, such as `administrators`' })
  feature_group?: string;

  @Text({ optional: true, description: 'Usernames' })
  user?: string;

  @Text({ optional: true, description: 'Full paths of groups' })
  group?: string;

  @Text({ optional: true, description: 'Full paths of groups or users' })
  namespace?: string;

  @Text({ optional: true, description: 'Full paths of projects' })
  project?: string;

  @Text({ optional: true, description: 'Full paths of projects, with or without `.git`' })
  repository?: string;

  @Flag({ optional: true, description: 'Also set a flag that is unknown to the product' })
  force?: boolean;
}
