/**
 * Table `p`: the projects in a group (an expression) and below it. An array and the order keep the planner to
 * the index of namespaces, as in `ListQuery.of`.
 */
export const projectsBelow = (groupId: string): string =>
  `(select * from projects where namespace_id = any(array(
      select gn.id from namespaces gn where gn.traversal_ids @> array[${groupId}])) order by namespace_id) p`;
