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
import type { ListMergeRequests, MergeRequestFilters } from './list-merge-requests.params.js';

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

/** The milestone that a list by creation starts from, taken out of the filters; null where it starts from none. */
function milestoneOf<Filters extends MergeRequestFilters>(
  params: Filters,
): { title: string; rest: Filters } | null {
  const { milestone, order_by: order = 'created_at' } = params;
  if (milestone === undefined || wordOf(milestone, ['any', 'none'] as const) !== null) return null;
  if (order !== 'created_at') return null;
  return {
    title: milestone,
    rest: Object.assign(Object.create(null) as Filters, params, { milestone: undefined }),
  };
}

/** The label that a list by creation starts from, taken out of the others; null where it starts from none. */
function labelOf<Filters extends MergeRequestFilters>(
  params: Filters,
): { title: string; rest: Filters } | null {
  const { labels, order_by: order = 'created_at' } = params;
  const [title, ...others] = namesOf(labels ?? []);
  const isWord = others.length === 0 && wordOf(title ?? '', ['any', 'none'] as const) !== null;
  if (title === undefined || isWord || order !== 'created_at') return null;
  return { title, rest: Object.assign(Object.create(null) as Filters, params, { labels: others }) };
}

/** The list of one project, where a label or a milestone leads to it faster than the project does; else null. */
export function planOfProject<Filters extends MergeRequestFilters>(
  projectId: number,
  params: Filters,
): MergeRequestListPlan<Filters> | null {
  const found = labelOf(params);
  if (!found) {
    const milestone = milestoneOf(params);
    if (!milestone) return null;
    const { sql, values } = milestoneOfProject(projectId, milestone.title);
    return { plan: { ...MILESTONE, sources: sql, values }, rest: milestone.rest };
  }
  const sources = `select ?::bigint as project_id, l.id as label_id from labels l where l.title = ? and ${reachable.project('l', '?::bigint')}`;
  const values = [projectId, found.title, projectId, projectId];
  return { plan: { ...LABEL, sources, values }, rest: found.rest };
}

/** The projects anywhere below the caller's group whose merge requests they may read. */
export function projectsOfGroup(caller: Caller, { non_archived: live }: ListMergeRequests): SqlPiece {
  const readable = readableBelow(caller, 'merge_requests', Role.Reporter);
  return {
    sql: `select p.id as project_id, gn.traversal_ids from projects p join namespaces gn on gn.id = p.namespace_id
      where gn.traversal_ids @> array[?::bigint] ${live === false ? '' : 'and not p.archived'} and ${readable.sql}`,
    values: [caller.subject?.id ?? 0, ...readable.values],
  };
}

/** How a list over many projects is read in the order of an index, by creation, change or id; null for other orders. */
export function planOfProjects<Filters extends MergeRequestFilters>(
  { sql, values }: SqlPiece,
  params: Filters,
): MergeRequestListPlan<Filters> | null {
  const { order_by: order = 'created_at' } = params;
  if (order !== 'created_at' && order !== 'updated_at' && order !== 'id') return null;
  const label = labelOf(params);
  if (label) {
    const sources = `select v.project_id, l.id as label_id from (${sql}) v
      join labels l on l.title = ? and (l.project_id = v.project_id or l.group_id = any(v.traversal_ids))`;
    return { plan: { ...LABEL, sources, values: [...values, label.title] }, rest: label.rest };
  }
  const milestone = milestoneOf(params);
  if (milestone) {
    const sources = milestonesOfProjects({ sql, values }, milestone.title);
    return { plan: { ...MILESTONE, sources: sources.sql, values: sources.values }, rest: milestone.rest };
  }
  const column = `m.${order}`;
  // Under coalesce the subquery is hashed: as a join it would lose the order of the index.
  const where = 'coalesce(m.project_id in (select s.project_id from s), false)';
  const walk = { from: 'merge_requests m', where, order: column, id: 'm.id' };
  const one = { from: 'merge_requests m', where: 'm.project_id = s.project_id', order: column, id: 'm.id' };
  return { plan: { ...one, sources: sql, values, walk }, rest: params };
}
