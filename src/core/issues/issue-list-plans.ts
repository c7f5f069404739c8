import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/merged-list-query.js';
import { wordOf } from '#core/issuables/any-or-none.js';
import { namesOf } from '#core/issuables/label-names-field.js';
import {
  milestoneOfProject,
  milestonesOfProjects,
  withMilestone,
} from '#core/issuables/milestone-sources.js';
import { reachable } from '#core/labels/planning-place.js';
import { readableBelow, type SqlPiece } from '#core/projects/readable-projects.js';
import { isUnfiltered } from './issue-filters.js';
import { ListIssues } from './list-issues.params.js';

/** How a list is read, and the filters that are left to apply. */
export interface IssueListPlan {
  readonly plan: MergePlan;
  readonly rest: ListIssues;
  /** A query of the total, for whom nothing that it starts from is hidden and with no filters left; see `MergePlan`. */
  readonly total?: string;
}

/** What a list starts from: links of a label or an assignee, or a milestone's issues, which are in the order of lists, or all issues. */
type Start =
  { kind: 'label' | 'milestone'; title: string } | { kind: 'assignee'; id: number } | { kind: 'issues' };

/** Lists of up to so many issues are counted along with their rows, off the index that they are read by. */
const COUNTED_WITH_ROWS = 1_000;

/** The total of what `s` starts from, for the plan of one short list of these links. */
function totalOf(
  links: string,
  { where, id, overlaps }: Pick<MergePlan, 'where' | 'id' | 'overlaps'>,
): string {
  const most = `limit ${COUNTED_WITH_ROWS + 1}`;
  const rows = `select b.id from s cross join lateral (select ${id} as id from ${links} where ${where} ${most}) b ${most}`;
  return `select case when count(*) <= ${COUNTED_WITH_ROWS} then count(${overlaps ? 'distinct c.id' : '*'}) end from (${rows}) c`;
}

const LABEL = {
  from: 'issue_labels dl join issues i on i.id = any(array[dl.issue_id])',
  where: 'dl.label_id = s.label_id and dl.project_id = s.project_id',
  order: 'dl.created_at',
  id: 'dl.issue_id',
  overlaps: true,
} as const;

const ASSIGNEE = {
  from: 'issue_assignees da join issues i on i.id = any(array[da.issue_id])',
  where: 'da.user_id = s.user_id and da.project_id = s.project_id',
  order: 'da.created_at',
  id: 'da.issue_id',
} as const;

const MILESTONE = withMilestone('issues', 'i');

const TOTALS = {
  label: totalOf('issue_labels dl', LABEL),
  assignee: totalOf('issue_assignees da', ASSIGNEE),
  milestone: totalOf('issues i', MILESTONE),
} as const;

/** The filters of a list but for one. */
export function without(params: ListIssues, name: keyof ListIssues): ListIssues {
  const kept = Object.entries(params).filter(([key]) => key !== name);
  return Object.assign(new ListIssues(), Object.fromEntries(kept));
}

/** The filter that a list by creation starts from, taken out of the others. */
function startOf(params: ListIssues): { start: Start; rest: ListIssues } {
  const { labels, milestone, assignee_id: assignee, order_by: order = 'created_at' } = params;
  const names = namesOf(labels ?? []);
  const [title] = names;
  const isWord = names.length === 1 && wordOf(title ?? '', ['any', 'none'] as const) !== null;
  if (order !== 'created_at') return { start: { kind: 'issues' }, rest: params };
  if (typeof assignee === 'number')
    return { start: { kind: 'assignee', id: assignee }, rest: without(params, 'assignee_id') };
  if (title !== undefined && !isWord)
    return {
      start: { kind: 'label', title },
      rest: Object.assign(without(params, 'labels'), names.length > 1 ? { labels: names.slice(1) } : {}),
    };
  if (milestone === undefined || wordOf(milestone, ['any', 'none']))
    return { start: { kind: 'issues' }, rest: params };
  return { start: { kind: 'milestone', title: milestone }, rest: without(params, 'milestone') };
}

/** The plan with its total, where no other filter is left; `sees` says that nothing is hidden from the caller. */
export const withTotal = ({ plan, rest, total }: IssueListPlan, sees: boolean): MergePlan => ({
  ...plan,
  total: sees && isUnfiltered(rest) ? total : undefined,
});

/** The list of one project, where a filter leads to it faster than the project does; else null. */
export function planOfProject(projectId: number, params: ListIssues): IssueListPlan | null {
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
export function planOfGroup(caller: Caller, groupId: number, params: ListIssues): IssueListPlan | null {
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
  { non_archived: live }: ListIssues,
): SqlPiece {
  const readable = readableBelow(caller, 'issues', Role.Guest);
  return {
    sql: `select p.id as project_id, gn.traversal_ids from projects p join namespaces gn on gn.id = p.namespace_id
      where gn.traversal_ids @> array[?::bigint] ${live === false ? '' : 'and not p.archived'} and ${readable.sql}`,
    values: [groupId, ...readable.values],
  };
}
