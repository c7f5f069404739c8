import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { IdOrAny, NumberOrAny, OneOrAny, type AnyOrNone } from '#core/issuables/lists/any-or-none.js';
import { ExcludedIssuables, IssuableFilters } from '#core/issuables/lists/issuable-filters.params.js';
import { HEALTH_STATUSES, ISSUE_TYPES, type IssueType } from '../issue.entity.js';

/** Orders of lists of issues. */
export const ISSUE_ORDERS = [
  'created_at',
  'updated_at',
  'due_date',
  'label_priority',
  'milestone_due',
  'popularity',
  'priority',
  'relative_position',
  'title',
  'weight',
  'id',
] as const;

/** Values of the filter by due date; 0 for none. */
export const DUE_DATES = [
  '0',
  'any',
  'today',
  'tomorrow',
  'overdue',
  'week',
  'month',
  'next_month_and_previous_two_weeks',
] as const;

/** Negated filters. */
export class ExcludedIssues extends ExcludedIssuables {
  @Id({ optional: true, description: 'Premium' })
  weight?: number;

  @OneOf(HEALTH_STATUSES, { optional: true, description: 'Premium' })
  health_status?: string;

  @Id({ optional: true, description: 'Id of an epic; premium' })
  epic_id?: number;
}

/** Filters of lists of issues without the state. */
export class FilterIssuesParams extends IssuableFilters {
  @List(Id(), { optional: true, commaSeparated: true })
  iids?: number[];

  @Flag({ optional: true })
  confidential?: boolean;

  @OneOf(ISSUE_TYPES, { optional: true })
  issue_type?: IssueType;

  @OneOf([...DUE_DATES, ''], { optional: true })
  due_date?: (typeof DUE_DATES)[number] | '';

  @NumberOrAny({ optional: true, description: 'Number, Any or None; premium' })
  weight?: number | AnyOrNone;

  @OneOrAny(HEALTH_STATUSES, { optional: true, description: 'One of them, Any or None; premium' })
  health_status?: string;

  @IdOrAny({ optional: true, description: 'Id of an epic, Any or None; premium' })
  epic_id?: number | AnyOrNone;

  @ExclusiveWith(['iteration_title'])
  @IdOrAny({ optional: true, description: 'No issue has an iteration here; premium' }, ['current'])
  iteration_id?: number | AnyOrNone | 'current';

  @Text({ optional: true, blankIsNull: true, maxLength: 255, description: 'As iteration_id; premium' })
  iteration_title?: string;

  @Nested(() => ExcludedIssues, { optional: true })
  override not?: ExcludedIssues;

  @Flag({
    optional: true,
    description:
      'Whether issues of archived projects are left out; default true, in lists of several projects',
  })
  non_archived?: boolean;
}

/** Filters and order of a list of issues. */
export class ListIssuesParams extends FilterIssuesParams {
  @OneOf(['opened', 'closed', 'all'], { optional: true })
  state?: 'opened' | 'closed' | 'all';

  @OneOf(ISSUE_ORDERS, { optional: true, description: 'created_at unless given' })
  order_by?: (typeof ISSUE_ORDERS)[number];
}

/** Returns the filters with another scope. */
export const withScope = <P extends FilterIssuesParams>(
  params: P,
  scope: NonNullable<FilterIssuesParams['scope']>,
): P => Object.assign(new (params.constructor as new () => P)(), params, { scope });
