/** Whose labels or milestones are meant: those of a project, or of a group. */
export type PlanningPlace = { readonly projectId: number } | { readonly groupId: number };

/** Conditions on a row of labels or milestones: its owner is that project or group; those above it count too. The parameter is its id. */
export const reachable = {
  project: (alias: string, id: string): string =>
    `(${alias}.project_id = ${id} or ${alias}.group_id = any((select pn.traversal_ids from projects pp
      join namespaces pn on pn.id = pp.namespace_id where pp.id = ${id})::bigint[]))`,
  group: (alias: string, id: string): string =>
    `${alias}.group_id = any((select gn.traversal_ids from namespaces gn where gn.id = ${id})::bigint[])`,
} as const;
