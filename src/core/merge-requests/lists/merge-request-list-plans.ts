import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { labelOf, milestoneOf, personOf } from '#core/issuables/lists/list-starts.js';
import {
  milestoneOfProject,
  milestonesOfProjects,
  withMilestone,
} from '#core/issuables/lists/milestone-sources.js';
import { planInProjects } from '#core/issuables/lists/person-plan.js';
import { sumOfTallies, totalFor, type Totals } from '#core/issuables/tallies/tally.sql.js';
import { reachable } from '#core/labels/reach/planning-place.js';
import { readableBelow, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { ListMergeRequestsParams, MergeRequestFilters } from './list-merge-requests.params.js';
import { isUnfiltered } from './merge-request-filters.js';

/** How a list is read, and the filters that are left to apply. */
export interface MergeRequestListPlan<Filters extends MergeRequestFilters> {
  readonly plan: MergePlan;
  readonly rest: Filters;
}

const LABEL = {
  from: 'merge_request_labels dl join merge_requests m on m.id = any(array[dl.merge_request_id])',
  where: 'dl.label_id = s.label_id and dl.project_id = s.project_id',
  order: 'dl.created_at',
  id: 'dl.merge_request_id',
  overlaps: true,
} as const;

const MILESTONE = withMilestone('merge_requests', 'm');

const PEOPLE = {
  author: planInProjects(MERGE_REQUEST, 'author'),
  assignee: planInProjects(MERGE_REQUEST, 'assignee'),
  reviewer: planInProjects(MERGE_REQUEST, 'reviewer'),
} as const;

const TOTALS = {
  label: sumOfTallies('merge_request', 'label', 'label_id', LABEL.overlaps),
  milestone: sumOfTallies('merge_request', 'milestone', 'milestone_id'),
} as const;

/** The plan with its total, where no other filter is left but the state. */
const withTotal = <Filters extends MergeRequestFilters>(
  plan: MergePlan,
  rest: Filters,
  totals: Totals,
): MergeRequestListPlan<Filters> => ({
  plan: { ...plan, total: totalFor(totals, rest, isUnfiltered) },
  rest,
});

/** The list of one project, where a person, a label or a milestone leads to it faster than the project does; else null. */
export function planOfProject<Filters extends MergeRequestFilters>(
  actor: Actor | null,
  projectId: number,
  params: Filters,
): MergeRequestListPlan<Filters> | null {
  const person = personOf(actor, params);
  if (person) {
    const sources = 'select ?::bigint as project_id, ?::bigint as user_id';
    const plan = { ...PEOPLE[person.link], sources, values: [projectId, person.id] };
    return withTotal(plan, person.rest, sumOfTallies('merge_request', person.link, 'user_id'));
  }
  const found = labelOf(params);
  if (!found) {
    const milestone = milestoneOf(params);
    if (!milestone) return null;
    const { sql, values } = milestoneOfProject(projectId, milestone.title);
    return withTotal({ ...MILESTONE, sources: sql, values }, milestone.rest, TOTALS.milestone);
  }
  const sources = `select ?::bigint as project_id, l.id as label_id from labels l where l.title = ? and ${reachable.project('l', '?::bigint')}`;
  const values = [projectId, found.title, projectId, projectId];
  return withTotal({ ...LABEL, sources, values }, found.rest, TOTALS.label);
}

/** The projects anywhere below the caller's group whose merge requests they may read. */
export function projectsOfGroup(caller: Caller, { non_archived: live }: ListMergeRequestsParams): SqlPiece {
  const readable = readableBelow(caller, 'merge_requests', Role.Reporter);
  return {
    sql: `select p.id as project_id, gn.traversal_ids from projects p join namespaces gn on gn.id = p.namespace_id
      where gn.traversal_ids @> array[?::bigint] ${live === false ? '' : 'and not p.archived'} and ${readable.sql}`,
    values: [caller.subject?.id ?? 0, ...readable.values],
  };
}

/** How a list over many projects is read in the order of an index, by creation, change or id; null for other orders. */
export function planOfProjects<Filters extends MergeRequestFilters>(
  actor: Actor | null,
  { sql, values }: SqlPiece,
  params: Filters,
): MergeRequestListPlan<Filters> | null {
  const { order_by: order = 'created_at' } = params;
  if (order !== 'created_at' && order !== 'updated_at' && order !== 'id') return null;
  const person = personOf(actor, params);
  if (person) {
    const sources = `select v.project_id, ?::bigint as user_id from (${sql}) v`;
    const plan = { ...PEOPLE[person.link], sources, values: [person.id, ...values] };
    return withTotal(plan, person.rest, sumOfTallies('merge_request', person.link, 'user_id'));
  }
  const label = labelOf(params);
  if (label) {
    const sources = `select v.project_id, l.id as label_id from (${sql}) v
      join labels l on l.title = ? and (l.project_id = v.project_id or l.group_id = any(v.traversal_ids))`;
    return withTotal({ ...LABEL, sources, values: [...values, label.title] }, label.rest, TOTALS.label);
  }
  const milestone = milestoneOf(params);
  if (milestone) {
    const sources = milestonesOfProjects({ sql, values }, milestone.title);
    const plan = { ...MILESTONE, sources: sources.sql, values: sources.values };
    return withTotal(plan, milestone.rest, TOTALS.milestone);
  }
  const column = `m.${order}`;
  // Under coalesce the subquery is hashed: as a join it would lose the order of the index.
  const where = 'coalesce(m.project_id in (select s.project_id from s), false)';
  const walk = { from: 'merge_requests m', where, order: column, id: 'm.id' };
  const one = { from: 'merge_requests m', where: 'm.project_id = s.project_id', order: column, id: 'm.id' };
  return { plan: { ...one, sources: sql, values, walk }, rest: params };
}
