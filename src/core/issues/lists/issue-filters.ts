import type { Actor, Caller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { applyIssuableFilters } from '#core/issuables/lists/issuable-filters.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { filterByEpic } from '../epics/issue-epic-filter.js';
import type { DUE_DATES, FilterIssuesParams, ListIssuesParams } from './list-issues.params.js';

/** Conditions on the day when an issue is due. */
const DUE: Readonly<Record<(typeof DUE_DATES)[number], string>> = {
  '0': 'i.due_date is null',
  any: 'i.due_date is not null',
  today: 'i.due_date = current_date',
  tomorrow: 'i.due_date = current_date + 1',
  overdue: 'i.due_date < current_date',
  week: `i.due_date >= date_trunc('week', current_date) and i.due_date < date_trunc('week', current_date) + interval '1 week'`,
  month: `i.due_date >= date_trunc('month', current_date) and i.due_date < date_trunc('month', current_date) + interval '1 month'`,
  next_month_and_previous_two_weeks: `i.due_date >= current_date - 14 and i.due_date < date_trunc('month', current_date) + interval '2 months'`,
};

/** Adds the filters of a list of issues. */
export function filterIssues(
  query: ListQuery<object>,
  params: ListIssuesParams,
  { actor, tier }: Caller,
): void {
  const { state, iids } = params;
  if (state === 'opened' || state === 'closed') query.where('i.state = ?', state);
  if (iids?.length) query.where('i.iid = any(?::bigint[])', iids);
  if (params.confidential !== undefined) query.where('i.confidential = ?', params.confidential);
  if (params.issue_type !== undefined) query.where('i.issue_type = ?', params.issue_type);
  if (params.due_date) query.where(DUE[params.due_date]);
  applyIssuableFilters(query, ISSUE, params, actor);
  if (tier >= Tier.Premium) filterByPlan(query, params, actor);
}

/** The filters that free plans know nothing of. */
function filterByPlan(query: ListQuery<object>, params: ListIssuesParams, actor: Actor | null): void {
  const { weight, health_status: health, iteration_id: iteration, not } = params;
  if (weight === 'any' || weight === 'none') query.where(`i.weight is ${weight === 'any' ? 'not ' : ''}null`);
  else if (weight !== undefined) query.where('i.weight = ?::bigint', weight);
  filterByHealth(query, health);
  filterByEpic(query, params.epic_id, actor);
  // Nothing has an iteration.
  if ((iteration ?? 'none') !== 'none' || params.iteration_title !== undefined) query.where('false');
  if (not?.weight !== undefined) query.where('i.weight is distinct from ?::bigint', not.weight);
  if (not?.health_status !== undefined) query.where('i.health_status is distinct from ?', not.health_status);
  if (not?.epic_id !== undefined) filterByEpic(query, not.epic_id, actor, 'out');
}

function filterByHealth(query: ListQuery<object>, status: string | undefined): void {
  if (status === undefined) return;
  if (status === 'any' || status === 'none')
    query.where(`i.health_status is ${status === 'any' ? 'not ' : ''}null`);
  else query.where('i.health_status = ?', status);
}

/** Whether the parameters keep all issues. */
export const isUnfiltered = ({
  state = 'all',
  scope = 'all',
  ...params
}: FilterIssuesParams & Pick<ListIssuesParams, 'state'>): boolean =>
  state === 'all' &&
  scope === 'all' &&
  Object.entries<unknown>(params).every(([name, value]) => value === undefined || NO_FILTER.has(name));

const NO_FILTER = new Set(['order_by', 'sort', 'with_labels_details', 'in', 'non_archived']);

const MILESTONE_DUE = '(select od.due_date from milestones od where od.id = i.milestone_id)';

const LABEL_PRIORITY = `(select min(op.priority) from issue_labels ol
  join label_priorities op on op.label_id = ol.label_id and op.project_id = i.project_id where ol.issue_id = i.id)`;

/** Orders that no index yields; a missing value comes last. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  due_date: ['i.due_date'],
  label_priority: [LABEL_PRIORITY],
  milestone_due: [MILESTONE_DUE],
  popularity: ['i.upvotes'],
  priority: [MILESTONE_DUE, LABEL_PRIORITY],
  weight: ['i.weight'],
};

/** Adds the order of a list of issues. */
export function orderIssues(
  query: ListQuery<object>,
  { order_by: order = 'created_at', sort = 'desc' }: ListIssuesParams,
): void {
  const expressions = EXPRESSIONS[order];
  if (expressions) {
    const keys = expressions.map((sql) => `${sql} ${sort} nulls last`);
    query.orderByExpression(`${keys.join(', ')}, i.id ${sort}`);
  } else if (order === 'relative_position')
    query.orderByExpression('i.relative_position asc nulls last, i.id asc');
  else query.orderBy(`i.${order}`, sort);
}
