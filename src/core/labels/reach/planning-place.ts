import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';

/** Whose labels or milestones are meant: those of a project, or of a group. */
export type PlanningPlace = { readonly projectId: number } | { readonly groupId: number };

/** That of what is brought over. */
export const placeOf = ({ of, ownerId }: Pick<ImportTarget, 'of' | 'ownerId'>): PlanningPlace =>
  of === 'project' ? { projectId: ownerId } : { groupId: ownerId };

/** Conditions on a row of labels or milestones: its owner is that project or group; those above it count too. The parameter is its id. */
export const reachable = {
  project: (alias: string, id: string): string =>
    `(${alias}.project_id = ${id} or ${alias}.group_id = any((select pn.traversal_ids from projects pp
      join namespaces pn on pn.id = pp.namespace_id where pp.id = ${id})::bigint[]))`,
  group: (alias: string, id: string): string =>
    `${alias}.group_id = any((select gn.traversal_ids from namespaces gn where gn.id = ${id})::bigint[])`,
} as const;

/** The groups above a project, or a group and those above it, held as they are until the end of the transaction: transfers lock what is read here. */
const heldGroups = {
  project: (id: string): string => `select pn.traversal_ids from namespaces pn
    where pn.id = (select pp.namespace_id from projects pp where pp.id = ${id} for key share) for key share`,
  group: (id: string): string =>
    `select gn.traversal_ids from namespaces gn where gn.id = ${id} for key share`,
} as const;

/** As `reachable`, for whoever writes what they find: what has the label or milestone then is not moved away from it meanwhile. */
export const held = {
  project: (alias: string, id: string): string =>
    `(${alias}.project_id = ${id} or ${alias}.group_id = any((${heldGroups.project(id)})::bigint[]))`,
  group: (alias: string, id: string): string =>
    `${alias}.group_id = any((${heldGroups.group(id)})::bigint[])`,
} as const;

/**
 * Holds a project or group where it stands until `tx` ends, and returns the ids of the groups above it, and its own; before things in it are
 * locked. What somebody plans with it and what a transfer parts it from are one after the other then.
 */
export async function holdPlace(tx: Tx, place: PlanningPlace): Promise<readonly number[]> {
  const [sql, id] =
    'projectId' in place
      ? [heldGroups.project('$1'), place.projectId]
      : [heldGroups.group('$1'), place.groupId];
  const [row] = await tx.query<{ traversal_ids: number[] }[]>(sql, [id]);
  return row?.traversal_ids ?? [];
}
