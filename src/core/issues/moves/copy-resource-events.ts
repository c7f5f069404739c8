import type { Tx } from '#kernel/database/transactions.js';
import { reachable } from '#core/labels/reach/planning-container.js';
import type { Issue } from '../issue.entity.js';

/**
 * SQL for the label or milestone with the same title in the new project; the original one if there is none.
 */
const there = (table: 'labels' | 'milestones', column: string): string =>
  `coalesce((select n.id from ${table} o join ${table} n on n.title = o.title and ${reachable.project('n', '$3')}
    where o.id = x.${column} order by n.project_id nulls last, n.id limit 1), x.${column})`;

const LABELS = `insert into resource_label_events (issue_id, user_id, label_id, action, created_at)
  select $2, x.user_id, ${there('labels', 'label_id')}, x.action, x.created_at
  from resource_label_events x where x.issue_id = $1 order by x.id`;

const MILESTONES = `insert into resource_milestone_events (issue_id, user_id, milestone_id, action, state, created_at)
  select $2, x.user_id, ${there('milestones', 'milestone_id')}, x.action, x.state, x.created_at
  from resource_milestone_events x where x.issue_id = $1 order by x.id`;

/** Commits and merge requests of another project may be hidden from readers of the copy. */
const STATES = `insert into resource_state_events (issue_id, user_id, state, source_commit, source_merge_request_id, created_at)
  select $2, x.user_id, x.state, case when i.project_id = $3 then x.source_commit end,
    case when i.project_id = $3 then x.source_merge_request_id end, x.created_at
  from resource_state_events x join issues i on i.id = x.issue_id where x.issue_id = $1 order by x.id`;

/** Copies the resource events of an issue to its copy. */
export async function copyResourceEvents(tx: Tx, fromId: number, to: Issue): Promise<void> {
  for (const statement of [LABELS, MILESTONES, STATES])
    await tx.query(statement, [fromId, to.id, to.projectId]);
}
