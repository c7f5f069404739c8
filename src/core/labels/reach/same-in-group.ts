import type { Tx } from '#kernel/database/transactions.js';

/** Copies the label `$2` to the group `$1`, unless this has one of that title. */
export const COPY_TO_GROUP = `insert into labels (group_id, title, color, description)
  select $1, title, color, description from labels where id = $2 on conflict do nothing`;

/** An object of a project with the same title as another. */
export interface SameInGroup {
  readonly id: number;
  readonly project_id: number;
}

/** Returns the title of a label or milestone of a project; null if the project does not have it. */
export async function titleInProject(
  tx: Tx,
  table: 'labels' | 'milestones',
  projectId: number,
  id: number,
): Promise<string | null> {
  const [row] = await tx.query<{ title: string }[]>(
    `select title from ${table} where id = $1 and project_id = $2`,
    [id, projectId],
  );
  return row?.title ?? null;
}

/**
 * Locks objects with a title in the projects of a group, which stay where they are: none can leave the group
 * with what becomes the group's.
 */
export const lockSameInGroup = (
  tx: Tx,
  table: 'labels' | 'milestones',
  groupId: number,
  title: string,
): Promise<SameInGroup[]> =>
  tx.query(
    `select t.id, t.project_id from ${table} t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
     where t.title = $2 and n.traversal_ids @> array[$1::bigint] order by t.id for key share of p, n for update of t`,
    [groupId, title],
  );
