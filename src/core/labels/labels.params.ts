import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Integer, Text } from '#kernel/http/fields/scalar-fields.js';

const MAX_PRIORITY = 2_147_483_647;
const COLOR = 'Hexadecimal digits behind `#`, or the name that CSS has for a colour';

/** Where labels are looked for beside the project or group itself. */
export class LabelReachParams {
  @Flag({ optional: true, description: 'Labels of the groups above too; default true' })
  include_ancestor_groups?: boolean;
}

/** Filters of lists of labels. */
export class ListLabelsParams extends LabelReachParams {
  @Flag({ optional: true, description: 'How many issues and merge requests have them' })
  with_counts?: boolean;

  @Flag({ optional: true, description: 'Of groups: labels of the groups below too' })
  include_descendant_groups?: boolean;

  @Flag({ optional: true, description: 'Of groups: false for labels of their projects too; default true' })
  only_group_labels?: boolean;

  @Text({ optional: true, maxLength: 255, description: 'Part of the name or the description' })
  search?: string;
}

/** One label. */
export class FindLabelParams extends LabelReachParams {
  @Text({ description: 'Id or name' })
  label_id!: string;
}

/** One label, named in the path or, as older clients do, among the other parameters. */
export class NameLabelParams {
  @Text({ unless: 'label_id', description: 'Id or name' })
  name?: string;

  @ExclusiveWith(['name'])
  @Text({ optional: true, description: 'Id or name' })
  label_id?: string;
}

/** A new label. */
export class CreateLabelParams {
  @Text({ blank: true, trim: true })
  name!: string;

  @Text({ blank: true, description: COLOR, example: '#FFAABB' })
  color!: string;

  @Text({ optional: true, nullable: true, description: 'What it is for' })
  description?: string | null;

  @Integer({ optional: true, nullable: true, min: 0, max: MAX_PRIORITY, description: 'In projects alone' })
  priority?: number | null;
}

/** What can be changed of a label. */
export class LabelChangesParams {
  @Text({ optional: true, trim: true })
  new_name?: string;

  @Text({ optional: true, description: COLOR })
  color?: string;

  @Text({ optional: true, nullable: true })
  description?: string | null;

  @Integer({ optional: true, nullable: true, min: 0, max: MAX_PRIORITY, description: 'In projects alone' })
  priority?: number | null;
}

/** Changes to the label of the path; at least one. */
export class UpdateLabelParams extends LabelChangesParams {
  @Text({ description: 'Id or name' })
  label_id!: string;
}

/** Changes to a label that is named as older clients do; at least one. */
export class UpdateNamedLabelParams extends LabelChangesParams {
  @Text({ unless: 'label_id', description: 'Id or name' })
  name?: string;

  @ExclusiveWith(['name'])
  @Text({ optional: true, description: 'Id or name' })
  label_id?: string;
}
