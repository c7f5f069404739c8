import type { Actor, Caller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { applyIssuableFilters } from '#core/issuables/lists/issuable-filters.js';
import { orderBy, sharedOrders } from '#core/issuables/lists/issuable-orders.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { filterByEpic } from '../epics/issue-epic-filter.js';
import type { DUE_DATES, ListIssuesParams } from './list-issues.params.js';

/** SQL conditions on the due date. */
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

/** Adds the filters of paid plans. */
function filterByPlan(query: ListQuery<object>, params: ListIssuesParams, actor: Actor | null): void {
  const { weight, health_status: health, iteration_id: iteration, not } = params;
  if (weight === 'any' || weight === 'none') query.where(`i.weight is ${weight === 'any' ? 'not ' : ''}null`);
  else if (weight !== undefined) query.where('i.weight = ?::bigint', weight);
  filterByHealth(query, health);
  filterByEpic(query, params.epic_id, actor);
  // No issue has an iteration.
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

/** Orders without an index. */
const EXPRESSIONS = { ...sharedOrders(ISSUE), due_date: ['i.due_date'], weight: ['i.weight'] };

/** Adds the order of a list of issues. */
export function orderIssues(query: ListQuery<object>, params: ListIssuesParams): void {
  if (params.order_by === 'relative_position')
    query.orderByExpression('i.relative_position asc nulls last, i.id asc');
  else orderBy(query, ISSUE, EXPRESSIONS, params);
}
