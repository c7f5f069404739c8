import type { GroupCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { ListEpicsParams } from '../epics.params.js';

/** Roles are inherited: a role in the group applies to everything below. */
const ROLES = { s: groupRoleSql('?::bigint', 's'), n: groupRoleSql('?::bigint', 'n') } as const;

const BELOW =
  'select d.id from namespaces d where d.traversal_ids @> array[?::bigint] and not d.pending_delete';

/**
 * Returns the group of the request, and those above and below if requested, as sources of a merged list. Only
 * those with epics, since the caller's role is looked up in each.
 */
export function groupsOfEpics(
  { subject: { id, traversalIds } }: GroupCaller,
  params: ListEpicsParams,
): Pick<MergePlan, 'sources' | 'values'> {
  const withAbove = params.include_ancestor_groups ?? false;
  const withBelow = params.include_descendant_groups ?? true;
  const own = `select unnest(?::bigint[])${withBelow ? ` union ${BELOW}` : ''}`;
  return {
    sources: `select g.id, g.traversal_ids, g.visibility from namespaces g where g.id = any(array(${own}))
      and (select true from epics where group_id = any(array[g.id]) order by group_id limit 1)`,
    values: [withAbove ? traversalIds : withBelow ? [] : [id], ...(withBelow ? [id] : [])],
  };
}

/** Keeps the epics that the caller may read, of such groups; `group`: the alias of the group of an epic. */
export function keepReadableEpics(
  query: ListQuery<object>,
  caller: GroupCaller,
  params: ListEpicsParams,
  group: keyof typeof ROLES,
): void {
  const { id } = caller.subject;
  const withBelow = params.include_descendant_groups ?? true;
  const withAbove = params.include_ancestor_groups ?? false;
  const { actor, role } = caller;
  if (actor?.admin) return;
  const open = actor && !actor.external ? ['public', 'internal'] : ['public'];
  if (withAbove || (withBelow && role < Role.Guest))
    keepVisibleGroups(query, id, open, actor?.id ?? null, group);
  if (role >= Role.Reporter && !withAbove) return;
  if (actor) query.where(`(not e.confidential or ${ROLES[group]} >= ${Role.Reporter})`, ...twice(actor.id));
  else query.where('not e.confidential');
}

/** The guards have already checked the group of the request itself. */
function keepVisibleGroups(
  query: ListQuery<object>,
  groupId: number,
  open: readonly string[],
  userId: number | null,
  group: keyof typeof ROLES,
): void {
  const visible = `${group}.id = ? or ${group}.visibility = any(?::text[])`;
  if (userId === null) query.where(`(${visible})`, groupId, open);
  else query.where(`(${visible} or ${ROLES[group]} >= ${Role.Guest})`, groupId, open, ...twice(userId));
}

/** Returns the user's id once per placeholder in one of `ROLES`. */
const twice = (userId: number): number[] =>
  Array.from({ length: ROLES.n.split('?').length - 1 }, () => userId);
