import { reachable } from '#core/labels/reach/planning-place.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';

/** Sources of a merged list: the milestone of a title that things of a project can have. Titles are not used twice there. */
export const milestoneOfProject = (projectId: number, title: string): SqlPiece => ({
  sql: `select ?::bigint as project_id, fm.id as milestone_id from milestones fm where fm.title = ? and ${reachable.project('fm', '?::bigint')}`,
  values: [projectId, title, projectId, projectId],
});

/** The same for many projects: rows with `project_id` and `traversal_ids`. */
export const milestonesOfProjects = ({ sql, values }: SqlPiece, title: string): SqlPiece => ({
  sql: `select v.project_id, fm.id as milestone_id from (${sql}) v
    join milestones fm on fm.title = ? and (fm.project_id = v.project_id or fm.group_id = any(v.traversal_ids))`,
  values: [...values, title],
});

/** One such list: the things `alias` of a table that have the milestone, by creation. */
export const withMilestone = (table: 'issues' | 'merge_requests', alias: string) =>
  ({
    from: `${table} ${alias}`,
    where: `${alias}.milestone_id = s.milestone_id and ${alias}.project_id = s.project_id`,
    order: `${alias}.created_at`,
    id: `${alias}.id`,
  }) as const;
