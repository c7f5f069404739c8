import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { IssuableFilters } from '#core/issuables/lists/issuable-filters.params.js';
import { applyIssuableFilters } from '#core/issuables/lists/issuable-filters.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';
import { APPROVED, filterByApprovals } from '../approvals/approval-filters.js';
import type { MergeRequestFilters, MergeRequestOrder } from './list-merge-requests.params.js';

const REVIEWED = 'exists (select 1 from merge_request_reviewers fr where fr.merge_request_id = m.id';
/** Starts from what somebody is asked to review, wherever that is. */
const reviewedBy = (who: string): string =>
  `m.id = any(array(select fr.merge_request_id from merge_request_reviewers fr where ${who}))`;
const NAMED = '(select fu.id from users fu where lower(fu.username) = lower(?))';
const BY_NAME = `fr.user_id = ${NAMED}`;
const DEPLOYED = `exists (select 1 from deployment_merge_requests fd join deployments fx on fx.id = fd.deployment_id
  join environments fe on fe.id = fd.environment_id join projects p on p.id = fe.project_id
  where fd.merge_request_id = m.id and fx.status = 'success'`;

/** What changes how a list is shown and ordered, not what is in it. */
const UNFILTERING: ReadonlySet<string> = new Set([
  'in',
  'non_archived',
  'order_by',
  'sort',
  'view',
  'with_labels_details',
  'with_merge_status_recheck',
]);

/** Whether the parameters keep all merge requests of what their list starts from. */
export const isUnfiltered = ({ state = 'all', scope = 'all', ...params }: MergeRequestFilters): boolean =>
  state === 'all' &&
  scope === 'all' &&
  Object.entries<unknown>(params).every(([name, value]) => value === undefined || UNFILTERING.has(name));

/** Adds the conditions of the filters, over `merge_requests m`; `scope` is meant as it stands. */
export function filterMergeRequests(
  query: ListQuery<object>,
  params: MergeRequestFilters,
  { actor, tier }: Caller,
): void {
  const { state, wip, scope, not, approved } = params;
  if (state !== undefined && state !== 'all') query.where('m.state = ?', state);
  const isReviews = scope?.startsWith('reviews') === true;
  const others = (isReviews ? 'all' : (scope ?? 'all')) as IssuableFilters['scope'];
  const shared = Object.assign(new IssuableFilters(), params, { scope: others });
  applyIssuableFilters(query, MERGE_REQUEST, shared, actor);
  if (isReviews) query.where(reviewedBy('fr.user_id = ?'), actor?.id ?? 0);
  if (wip) query.where(wip === 'yes' ? 'm.draft' : 'not m.draft');
  if (approved) query.where(`${approved === 'yes' ? '' : 'not '}${APPROVED})`);
  filterByReviewers(query, params);
  filterByBranches(query, params);
  if (tier >= Tier.Premium) filterByApprovals(query, params);
  filterByDeployments(query, params, actor);
  if (not?.reviewer_id !== undefined) query.where(`not ${REVIEWED} and fr.user_id = ?)`, not.reviewer_id);
  if (not?.reviewer_username !== undefined)
    query.where(`not ${REVIEWED} and ${BY_NAME})`, not.reviewer_username);
  if (not?.source_branch !== undefined) query.where('m.source_branch <> ?', not.source_branch);
  if (not?.target_branch !== undefined) query.where('m.target_branch <> ?', not.target_branch);
}

function filterByReviewers(query: ListQuery<object>, params: MergeRequestFilters): void {
  const { reviewer_id: id, reviewer_username: name } = params;
  if (id === 'any') query.where(`${REVIEWED})`);
  else if (id === 'none') query.where(`not ${REVIEWED})`);
  else if (id !== undefined) query.where(reviewedBy('fr.user_id = ?'), id);
  if (name !== undefined) query.where(reviewedBy(BY_NAME), name);
}

function filterByBranches(query: ListQuery<object>, params: MergeRequestFilters): void {
  if (params.source_branch !== undefined) query.where('m.source_branch = ?', params.source_branch);
  if (params.target_branch !== undefined) query.where('m.target_branch = ?', params.target_branch);
  if (params.source_project_id !== undefined)
    query.where('m.source_project_id = ?', params.source_project_id);
}

/** One deployment must fit all of them, one that the caller may read: else the filter would tell of it. */
function filterByDeployments(
  query: ListQuery<object>,
  params: MergeRequestFilters,
  actor: Actor | null,
): void {
  const { deployed_after: after, deployed_before: before, environment } = params;
  const conditions: string[] = [];
  const values: unknown[] = [];
  const also = (sql: string, value: unknown): void => {
    if (value === undefined) return;
    conditions.push(` and ${sql}`);
    values.push(value);
  };
  also('fx.finished_at >= ?', after);
  also('fx.finished_at <= ?', before);
  also('fe.name = ?', environment);
  if (conditions.length === 0) return;
  const readable = readableProjects(actor, 'deployments', Role.Reporter);
  query.where(`${DEPLOYED}${conditions.join('')} and ${readable.sql})`, ...values, ...readable.values);
}

const PRIORITY = `(select min(fo.priority) from merge_request_labels fk join label_priorities fo on fo.label_id = fk.label_id
  and fo.project_id = m.project_id where fk.merge_request_id = m.id)`;
const DUE = '(select fm.due_date from milestones fm where fm.id = m.milestone_id)';

const COLUMNS: Partial<Record<MergeRequestOrder, string>> = {
  created_at: 'm.created_at',
  updated_at: 'm.updated_at',
  title: 'm.title',
  id: 'm.id',
};

/** Orders of which no index has anything: those without a value come last. */
const EXPRESSIONS: Partial<Record<MergeRequestOrder, readonly string[]>> = {
  merged_at: ['m.merged_at'],
  milestone_due: [DUE],
  popularity: ['m.upvotes'],
  label_priority: [PRIORITY],
  priority: [DUE, PRIORITY],
};

/** Orders the list. */
export function orderMergeRequests(
  query: ListQuery<object>,
  { order_by: order = 'created_at', sort = 'desc' }: MergeRequestFilters,
): void {
  const column = COLUMNS[order];
  if (column !== undefined) query.orderBy(column, sort);
  else {
    const by = (EXPRESSIONS[order] ?? []).map((sql) => `${sql} ${sort} nulls last`);
    query.orderByExpression([...by, `m.id ${sort}`].join(', ')).long();
  }
}
