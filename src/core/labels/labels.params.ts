import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Integer, Text } from '#kernel/http/fields/scalar-fields.js';

const MAX_PRIORITY = 2_147_483_647;
const COLOR = 'Hexadecimal digits after `#`, or the CSS name of a color';

/** Scope of a look-up of labels besides the project or group itself. */
export class LabelReachParams {
  @Flag({ optional: true, description: 'Labels of the groups above too; default true' })
  include_ancestor_groups?: boolean;
}

/** Filters of lists of labels. */
export class ListLabelsParams extends LabelReachParams {
  @Flag({ optional: true, description: 'How many issues and merge requests have them' })
  with_counts?: boolean;

  @Flag({ optional: true, description: 'For groups: also labels of subgroups' })
  include_descendant_groups?: boolean;

  @Flag({
    optional: true,
    description: 'For groups: false to include labels of their projects; default true',
  })
  only_group_labels?: boolean;

  @Text({ optional: true, maxLength: 255, description: 'Part of the name or the description' })
  search?: string;
}

/** Path parameters of a label. */
export class FindLabelParams extends LabelReachParams {
  @Text({ description: 'Id or name' })
  label_id!: string;
}

/** A label named in the path or, for older clients, in other parameters. */
export class NameLabelParams {
  @Text({ unless: 'label_id', description: 'Id or name' })
  name?: string;

  @ExclusiveWith(['name'])
  @Text({ optional: true, description: 'Id or name' })
  label_id?: string;
}

/** Parameters of a new label. */
export class CreateLabelParams {
  @Text({ blank: true, trim: true })
  name!: string;

  @Text({ blank: true, description: COLOR, example: '#FFAABB' })
  color!: string;

  @Text({ optional: true, nullable: true, description: 'Purpose' })
  description?: string | null;

  @Integer({ optional: true, nullable: true, min: 0, max: MAX_PRIORITY, description: 'Only in projects' })
  priority?: number | null;
}

/** Attributes of a label that can be changed. */
export class LabelChangesParams {
  @Text({ optional: true, trim: true })
  new_name?: string;

  @Text({ optional: true, description: COLOR })
  color?: string;

  @Text({ optional: true, nullable: true })
  description?: string | null;

  @Integer({ optional: true, nullable: true, min: 0, max: MAX_PRIORITY, description: 'Only in projects' })
  priority?: number | null;
}

/** Changes of the label in the path; at least one. */
export class UpdateLabelParams extends LabelChangesParams {
  @Text({ description: 'Id or name' })
  label_id!: string;
}

/** Changes of a label named in the form of older clients; at least one. */
export class UpdateNamedLabelParams extends LabelChangesParams {
  @Text({ unless: 'label_id', description: 'Id or name' })
  name?: string;

  @ExclusiveWith(['name'])
  @Text({ optional: true, description: 'Id or name' })
  label_id?: string;
}
