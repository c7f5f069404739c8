import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { IssuableFilters } from '#core/issuables/lists/issuable-filters.params.js';
import { applyIssuableFilters } from '#core/issuables/lists/issuable-filters.js';
import { orderBy, sharedOrders } from '#core/issuables/lists/issuable-orders.js';
import { isOfPerson, keepPeople, leavePeople } from '#core/issuables/lists/people-filters.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';
import { APPROVED, filterByApprovals } from '../approvals/approval-filters.js';
import { REVIEWERS } from '../merge-request.row.js';
import type { ListProjectMergeRequestsParams, MergeRequestFilters } from './list-merge-requests.params.js';

const DEPLOYED = `exists (select 1 from deployment_merge_requests fd join deployments fx on fx.id = fd.deployment_id
  join environments fe on fe.id = fd.environment_id join projects p on p.id = fe.project_id
  where fd.merge_request_id = m.id and fx.status = 'success'`;

/** Adds the conditions of the filters, over `merge_requests m`; `scope` is used unchanged. */
export function filterMergeRequests(
  query: ListQuery<object>,
  params: MergeRequestFilters & Pick<ListProjectMergeRequestsParams, 'iids'>,
  { actor, tier }: Caller,
): void {
  const { state, wip, scope, not, approved } = params;
  if (params.iids?.length) query.where('m.iid = any(?::bigint[])', params.iids);
  if (state !== undefined && state !== 'all') query.where('m.state = ?', state);
  const isReviews = scope?.startsWith('reviews') === true;
  const others = (isReviews ? 'all' : (scope ?? 'all')) as IssuableFilters['scope'];
  const shared = Object.assign(new IssuableFilters(), params, { scope: others });
  applyIssuableFilters(query, MERGE_REQUEST, shared, actor);
  if (isReviews) query.where(isOfPerson(MERGE_REQUEST, REVIEWERS, '?'), actor?.id ?? 0);
  if (wip) query.where(wip === 'yes' ? 'm.draft' : 'not m.draft');
  if (approved) query.where(`${approved === 'yes' ? '' : 'not '}${APPROVED})`);
  keepPeople(query, MERGE_REQUEST, REVIEWERS, params.reviewer_id, namesOf(params.reviewer_username));
  filterByBranches(query, params);
  if (tier >= Tier.Premium) filterByApprovals(query, params);
  filterByDeployments(query, params, actor);
  leavePeople(query, MERGE_REQUEST, REVIEWERS, not?.reviewer_id, namesOf(not?.reviewer_username));
  if (not?.source_branch !== undefined) query.where('m.source_branch <> ?', not.source_branch);
  if (not?.target_branch !== undefined) query.where('m.target_branch <> ?', not.target_branch);
}

const namesOf = (name: string | undefined): string[] => (name === undefined ? [] : [name]);

function filterByBranches(query: ListQuery<object>, params: MergeRequestFilters): void {
  if (params.source_branch !== undefined) query.where('m.source_branch = ?', params.source_branch);
  if (params.target_branch !== undefined) query.where('m.target_branch = ?', params.target_branch);
  if (params.source_project_id !== undefined)
    query.where('m.source_project_id = ?', params.source_project_id);
}

/** One deployment must match all filters and be readable by the caller, or the filter would reveal it. */
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

/** Orders without an index. */
const EXPRESSIONS = { ...sharedOrders(MERGE_REQUEST), merged_at: ['m.merged_at'] };

/** Adds the order. */
export function orderMergeRequests(query: ListQuery<object>, params: MergeRequestFilters): void {
  if (!orderBy(query, MERGE_REQUEST, EXPRESSIONS, params)) query.long();
}
