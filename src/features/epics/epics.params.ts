import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Id, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { AtOrAfter, AtOrBefore } from '#kernel/http/fields/time-filters.js';
import { LabelList } from '#core/issuables/fields/label-names-field.js';
import { Title } from '#core/issuables/fields/title.field.js';
import { MAX_DESCRIPTION } from '#core/issuables/text.rules.js';

/** Negated filters. */
export class ExcludedEpics {
  @LabelList()
  labels?: string[];

  @List(Id(), { optional: true, commaSeparated: true })
  iids?: number[];

  @ExclusiveWith(['author_username'])
  @Id({ optional: true })
  author_id?: number;

  @Text({ optional: true, maxLength: 255 })
  author_username?: string;

  @Text({ optional: true, maxLength: 255 })
  my_reaction_emoji?: string;
}

/** Filters and order of a list of epics. */
export class ListEpicsParams {
  @ExclusiveWith(['author_username'])
  @Id({ optional: true })
  author_id?: number;

  @Text({ optional: true, maxLength: 255 })
  author_username?: string;

  @LabelList({ description: 'Names of labels, all of which must be set; Any or None' })
  labels?: string[];

  @Flag({ optional: true, description: 'Labels as records, not names' })
  with_labels_details?: boolean;

  @OneOf(['created_at', 'updated_at', 'title', 'id'], {
    optional: true,
    description: 'created_at unless given',
  })
  order_by?: 'created_at' | 'updated_at' | 'title' | 'id';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';

  @Text({ optional: true, maxLength: 1_000, description: 'In title and description' })
  search?: string;

  @OneOf(['opened', 'closed', 'all'], { optional: true })
  state?: 'opened' | 'closed' | 'all';

  @AtOrAfter()
  created_after?: Date;

  @AtOrBefore()
  created_before?: Date;

  @AtOrAfter()
  updated_after?: Date;

  @AtOrBefore()
  updated_before?: Date;

  @List(Id(), { optional: true, commaSeparated: true })
  iids?: number[];

  @Flag({ optional: true })
  confidential?: boolean;

  @Text({ optional: true, maxLength: 255, description: 'Emoji with which the caller reacted; Any or None' })
  my_reaction_emoji?: string;

  @Flag({ optional: true, description: 'Also those of parent groups' })
  include_ancestor_groups?: boolean;

  @Flag({ optional: true, description: 'Also those of subgroups; default true' })
  include_descendant_groups?: boolean;

  @Nested(() => ExcludedEpics, { optional: true })
  not?: ExcludedEpics;
}

/** Path parameters of an epic. */
export class FindEpicParams {
  @Id({ min: 0 })
  epic_iid!: number;
}

const EXAMPLE = 'A shop that sells abroad';

/** Parameters that creating and updating share. */
export class EpicValuesParams {
  @Text({ optional: true, nullable: true, maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @LabelList({ nullable: true, description: 'Names; unknown ones become labels of the group' })
  labels?: string[] | null;

  @Flag({ optional: true })
  confidential?: boolean;

  @Flag({ optional: true, description: 'Whether the fixed date is used, instead of that of milestones' })
  start_date_is_fixed?: boolean;

  @IsoDate({ optional: true, nullable: true })
  start_date_fixed?: string | null;

  @Flag({ optional: true, description: 'Whether the fixed date is used, instead of that of milestones' })
  due_date_is_fixed?: boolean;

  @IsoDate({ optional: true, nullable: true })
  due_date_fixed?: string | null;

  @Id({
    optional: true,
    nullable: true,
    min: 0,
    description: 'Id of the epic above it; 0 or null for none',
  })
  parent_id?: number | null;

  @IsoDate({ optional: true, nullable: true, description: 'Deprecated: a fixed start' })
  start_date?: string | null;

  @IsoDate({ optional: true, nullable: true, description: 'Deprecated: a fixed end' })
  end_date?: string | null;
}

/** Parameters of a new epic. */
export class CreateEpicParams extends EpicValuesParams {
  @Title({ optional: false, example: EXAMPLE })
  title!: string;

  @IsoTime({ optional: true, description: 'Owners and administrators only; ignored for other callers' })
  created_at?: Date;
}

/** Parameters of an update of an epic. */
export class UpdateEpicParams extends EpicValuesParams {
  @Id({ min: 0 })
  epic_iid!: number;

  @Title({ optional: true, example: EXAMPLE })
  title?: string;

  @LabelList({ optional: true })
  add_labels?: string[];

  @LabelList({ optional: true })
  remove_labels?: string[];

  @OneOf(['close', 'reopen'], { optional: true })
  state_event?: 'close' | 'reopen';

  @IsoTime({ optional: true, description: 'Owners and administrators only; ignored for other callers' })
  updated_at?: Date;
}
