import { Flag, Integer, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { IdOrAny, type AnyOrNone } from '#core/issuables/any-or-none.js';
import { IssuableFilters } from '#core/issuables/issuable-filters.params.js';
import { HEALTH_STATUSES, ISSUE_TYPES, type IssueType } from './issue.entity.js';

/** What lists of issues can be ordered by. */
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

/** Days that a due date can lie in; 0 is none at all. */
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

/** Filters of lists of issues, but for their state. */
export class FilterIssues extends IssuableFilters {
  @List(Integer(), { optional: true, commaSeparated: true })
  iids?: number[];

  @Flag({ optional: true })
  confidential?: boolean;

  @OneOf(ISSUE_TYPES, { optional: true })
  issue_type?: IssueType;

  @OneOf(DUE_DATES, { optional: true })
  due_date?: (typeof DUE_DATES)[number];

  @IdOrAny({ optional: true, description: 'Number, Any or None; premium' })
  weight?: number | AnyOrNone;

  @OneOf([...HEALTH_STATUSES, 'Any', 'None', 'any', 'none'], { optional: true, description: 'Premium' })
  health_status?: string;

  @IdOrAny({ optional: true, description: 'Id of an epic, Any or None; premium' })
  epic_id?: number | AnyOrNone;

  @Flag({
    optional: true,
    description:
      'Whether issues of archived projects are left out: true unless given, in lists of several projects',
  })
  non_archived?: boolean;
}

/** Filters and order of a list of issues. */
export class ListIssues extends FilterIssues {
  @OneOf(['opened', 'closed', 'all'], { optional: true })
  state?: 'opened' | 'closed' | 'all';

  @OneOf(ISSUE_ORDERS, { optional: true, description: 'created_at unless given' })
  order_by?: (typeof ISSUE_ORDERS)[number];
}

/** The same filters with another scope. */
export const withScope = <P extends FilterIssues>(params: P, scope: NonNullable<FilterIssues['scope']>): P =>
  Object.assign(new (params.constructor as new () => P)(), params, { scope });
