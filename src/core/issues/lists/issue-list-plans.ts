import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { labelOf, milestoneOf, without } from '#core/issuables/lists/list-starts.js';
import {
  milestoneOfProject,
  milestonesOfProjects,
  withMilestone,
} from '#core/issuables/lists/milestone-sources.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { planInProjects } from '#core/issuables/lists/person-plan.js';
import { sumOfTallies, totalFor, type Totals } from '#core/issuables/tallies/tally.sql.js';
import { reachable } from '#core/labels/reach/planning-place.js';
import { readableBelow, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { isUnfiltered } from './issue-filters.js';
import type { ListIssuesParams } from './list-issues.params.js';

/** How a list is read, and the filters that are left to apply. */
export interface IssueListPlan {
  readonly plan: MergePlan;
  readonly rest: ListIssuesParams;
  /** Queries of the total, for whom nothing that it starts from is hidden and with no filters left but the state; see `MergePlan`. */
  readonly total?: Totals;
}

/** What a list starts from: links of a label or an assignee, or a milestone's issues, which are in the order of lists, or all issues. */
type Start =
  | { kind: 'label' | 'milestone'; title: string }
  | { kind: 'assignee'; id: number }
  | { kind: 'issues' };

const LABEL = {
  from: 'issue_labels dl join issues i on i.id = any(array[dl.issue_id])',
  where: 'dl.label_id = s.label_id and dl.project_id = s.project_id',
  order: 'dl.created_at',
  id: 'dl.issue_id',
  overlaps: true,
} as const;

const ASSIGNEE = planInProjects(ISSUE, 'assignee');

const MILESTONE = withMilestone('issues', 'i');

const TOTALS = {
  label: sumOfTallies('issue', 'label', 'label_id', LABEL.overlaps),
  assignee: sumOfTallies('issue', 'assignee', 'user_id'),
  milestone: sumOfTallies('issue', 'milestone', 'milestone_id'),
} as const;

/** The filter that a list by creation starts from, taken out of the others. */
function startOf(params: ListIssuesParams): { start: Start; rest: ListIssuesParams } {
  const { assignee_id: assignee, order_by: order = 'created_at' } = params;
  if (order === 'created_at' && typeof assignee === 'number')
    return { start: { kind: 'assignee', id: assignee }, rest: without(params, 'assignee_id') };
  const label = labelOf(params);
  if (label) return { start: { kind: 'label', title: label.title }, rest: label.rest };
  const milestone = milestoneOf(params);
  if (milestone) return { start: { kind: 'milestone', title: milestone.title }, rest: milestone.rest };
  return { start: { kind: 'issues' }, rest: params };
}

/** The plan with its total, where no other filter is left; `sees` says that nothing is hidden from the caller. */
export const withTotal = ({ plan, rest, total }: IssueListPlan, sees: boolean): MergePlan => ({
  ...plan,
  total: sees && total ? totalFor(total, rest, isUnfiltered) : undefined,
});

/** The list of one project, where a filter leads to it faster than the project does; else null. */
export function planOfProject(projectId: number, params: ListIssuesParams): IssueListPlan | null {
  const { start, rest } = startOf(params);
  if (start.kind === 'issues') return null;
  const total = TOTALS[start.kind];
  if (start.kind === 'assignee') {
    const sources = 'select ?::bigint as project_id, ?::bigint as user_id';
    return { plan: { ...ASSIGNEE, sources, values: [projectId, start.id] }, rest, total };
  }
  if (start.kind === 'milestone') {
    const { sql, values } = milestoneOfProject(projectId, start.title);
    return { plan: { ...MILESTONE, sources: sql, values }, rest, total };
  }
  const sources = `select ?::bigint as project_id, l.id as label_id from labels l where l.title = ? and ${reachable.project('l', '?::bigint')}`;
  return { plan: { ...LABEL, sources, values: [projectId, start.title, projectId, projectId] }, rest, total };
}

/** The list of a group's projects, by creation, change or id; null for other orders. */
export function planOfGroup(caller: Caller, groupId: number, params: ListIssuesParams): IssueListPlan | null {
  const { order_by: order = 'created_at' } = params;
  if (order !== 'created_at' && order !== 'updated_at' && order !== 'id') return null;
  const { start, rest } = startOf(params);
  const projects = projectsOfGroup(caller, groupId, params);
  const { values } = projects;
  if (start.kind === 'assignee') {
    const sources = `select v.project_id, ?::bigint as user_id from (${projects.sql}) v`;
    return { plan: { ...ASSIGNEE, sources, values: [start.id, ...values] }, rest, total: TOTALS.assignee };
  }
  if (start.kind === 'label') {
    const sources = `select v.project_id, l.id as label_id from (${projects.sql}) v
      join labels l on l.title = ? and (l.project_id = v.project_id or l.group_id = any(v.traversal_ids))`;
    return { plan: { ...LABEL, sources, values: [...values, start.title] }, rest, total: TOTALS.label };
  }
  if (start.kind === 'milestone') {
    const sources = milestonesOfProjects(projects, start.title);
    return {
      plan: { ...MILESTONE, sources: sources.sql, values: sources.values },
      rest,
      total: TOTALS.milestone,
    };
  }
  const column = `i.${order}`;
  // Under coalesce the subquery is hashed: as a join it would lose the order of the index.
  const where = 'coalesce(i.project_id in (select s.project_id from s), false)';
  const walk = { from: 'issues i', where, order: column, id: 'i.id' };
  const one = { from: 'issues i', where: 'i.project_id = s.project_id', order: column, id: 'i.id' };
  return { plan: { ...one, sources: projects.sql, values, walk }, rest };
}

/** The projects anywhere below a group whose issues the caller may read. */
export function projectsOfGroup(
  caller: Caller,
  groupId: number,
  { non_archived: live }: ListIssuesParams,
): SqlPiece {
  const readable = readableBelow(caller, 'issues', Role.Guest);
  return {
    sql: `select p.id as project_id, gn.traversal_ids from projects p join namespaces gn on gn.id = p.namespace_id
      where gn.traversal_ids @> array[?::bigint] ${live === false ? '' : 'and not p.archived'} and ${readable.sql}`,
    values: [groupId, ...readable.values],
  };
}
