import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { AtOrAfter, AtOrBefore } from '#kernel/http/fields/time-filters.js';
import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { IdOrAny, Word, type AnyOrNone } from './any-or-none.js';
import { LabelList } from '../fields/label-names-field.js';

/** Scopes of a list of issues or merge requests; older clients send hyphens. */
const SCOPES = ['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'] as const;

/** Milestone filters other than a title. */
export type MilestoneWord = AnyOrNone | 'upcoming' | 'started';

/** Negated filters of a list. */
export class ExcludedIssuables {
  @LabelList()
  labels?: string[];

  @ExclusiveWith(['milestone_id'])
  @Text({ optional: true, blankIsNull: true, maxLength: 255 })
  milestone?: string;

  @Word(['upcoming', 'started'], { optional: true })
  milestone_id?: 'upcoming' | 'started';

  @List(Id(), { optional: true, commaSeparated: true })
  iids?: number[];

  @ExclusiveWith(['author_username'])
  @Id({ optional: true })
  author_id?: number;

  @Text({ optional: true, blankIsNull: true, maxLength: 255 })
  author_username?: string;

  @ExclusiveWith(['assignee_username'])
  @Id({ optional: true })
  assignee_id?: number;

  @List(Text({ maxLength: 255 }), { optional: true, commaSeparated: true })
  assignee_username?: string[];

  @Text({ optional: true, maxLength: 255 })
  my_reaction_emoji?: string;
}

/**
 * Filters that lists of issues, merge requests and epics share; each list adds its `state` and `order_by`.
 */
export class IssuableFilters {
  @LabelList({ description: 'Names of labels, all of which must be set; Any or None' })
  labels?: string[];

  @ExclusiveWith(['milestone_id'])
  @Text({ optional: true, blankIsNull: true, maxLength: 255, description: 'Title; Any or None' })
  milestone?: string;

  @Word(['any', 'none', 'upcoming', 'started'], { optional: true })
  milestone_id?: MilestoneWord;

  @Text({ optional: true, maxLength: 1_000, description: 'In title and description' })
  search?: string;

  @Text({
    optional: true,
    blankIsNull: true,
    matches: /^(title|description)(,(title|description))?$/,
    description: 'Fields to search; default: title,description',
  })
  in?: string;

  @ExclusiveWith(['author_username'])
  @Id({ optional: true })
  author_id?: number;

  @Text({ optional: true, blankIsNull: true, maxLength: 255 })
  author_username?: string;

  @ExclusiveWith(['assignee_username'])
  @IdOrAny({ optional: true })
  assignee_id?: number | AnyOrNone;

  @List(Text({ maxLength: 255 }), {
    optional: true,
    commaSeparated: true,
    description: 'All of them must be assigned',
  })
  assignee_username?: string[];

  @Text({ optional: true, maxLength: 255, description: 'Emoji with which the caller reacted; Any or None' })
  my_reaction_emoji?: string;

  @AtOrAfter()
  created_after?: Date;

  @AtOrBefore()
  created_before?: Date;

  @AtOrAfter()
  updated_after?: Date;

  @AtOrBefore()
  updated_before?: Date;

  @OneOf(SCOPES, { optional: true })
  scope?: (typeof SCOPES)[number];

  @Flag({ optional: true, description: 'Labels as records, not names' })
  with_labels_details?: boolean;

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';

  @Nested(() => ExcludedIssuables, { optional: true })
  not?: ExcludedIssuables;
}
