import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';

/** The project or group that owns labels or milestones. */
export type PlanningContainer = { readonly projectId: number } | { readonly groupId: number };

/** Returns that of an import. */
export const containerOf = ({ of, ownerId }: Pick<ImportTarget, 'of' | 'ownerId'>): PlanningContainer =>
  of === 'project' ? { projectId: ownerId } : { groupId: ownerId };

/**
 * SQL conditions on a row of labels or milestones: its owner is the project or group with the id in the
 * parameter, or a group above it.
 */
export const reachable = {
  project: (alias: string, id: string): string =>
    `(${alias}.project_id = ${id} or ${alias}.group_id = any((select pn.traversal_ids from projects pp
      join namespaces pn on pn.id = pp.namespace_id where pp.id = ${id})::bigint[]))`,
  group: (alias: string, id: string): string =>
    `${alias}.group_id = any((select gn.traversal_ids from namespaces gn where gn.id = ${id})::bigint[])`,
} as const;

/** SQL query for the rows of a project (the first value) and of groups (the second one), as `ListQuery.from` takes it. */
export const ownOrAboveSql = (table: 'labels' | 'milestones'): string =>
  `(select * from ${table} where project_id = any(array[?::bigint]) order by project_id)
    union all (select * from ${table} where group_id = any(?::bigint[]) order by group_id)`;

/**
 * SQL queries for the groups above a project, or a group and those above it, locked until the transaction
 * ends: transfers lock the same rows.
 */
const heldGroups = {
  project: (id: string): string => `select pn.traversal_ids from namespaces pn
    where pn.id = (select pp.namespace_id from projects pp where pp.id = ${id} for key share) for key share`,
  group: (id: string): string =>
    `select gn.traversal_ids from namespaces gn where gn.id = ${id} for key share`,
} as const;

/**
 * The conditions of `reachable` with that lock, for writers: an issuable that gets the label or milestone
 * cannot be moved away from it concurrently.
 */
export const held = {
  project: (alias: string, id: string): string =>
    `(${alias}.project_id = ${id} or ${alias}.group_id = any((${heldGroups.project(id)})::bigint[]))`,
  group: (alias: string, id: string): string =>
    `${alias}.group_id = any((${heldGroups.group(id)})::bigint[])`,
} as const;

/**
 * Keeps a project or group where it is until `tx` ends, and returns the ids of the groups above it, and its
 * own; call it before locking anything in it. This serializes planning and transfers.
 */
export async function holdContainer(tx: Tx, container: PlanningContainer): Promise<readonly number[]> {
  const [sql, id] =
    'projectId' in container
      ? [heldGroups.project('$1'), container.projectId]
      : [heldGroups.group('$1'), container.groupId];
  const [row] = await tx.query<{ traversal_ids: number[] }[]>(sql, [id]);
  return row?.traversal_ids ?? [];
}
