import type { GroupCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { ListEpicsParams } from '../epics.params.js';

/** Roles are inherited: a role in the group applies to everything below. */
const ROLE = groupRoleSql('?::bigint', 'n');

/**
 * Keeps the epics of the group of the request, and of those above and below if requested and visible to the
 * caller.
 */
export function keepReadableEpics(
  query: ListQuery<object>,
  caller: GroupCaller,
  params: ListEpicsParams,
): void {
  const { id, traversalIds } = caller.subject;
  const withBelow = params.include_descendant_groups ?? true;
  const withAbove = params.include_ancestor_groups ?? false;
  const below =
    'e.group_id in (select d.id from namespaces d where d.traversal_ids @> array[?::bigint] and not d.pending_delete)';
  if (withBelow && withAbove) query.where(`(${below} or e.group_id = any(?::bigint[]))`, id, traversalIds);
  else if (withBelow) query.where(below, id);
  else query.where('e.group_id = any(?::bigint[])', withAbove ? traversalIds : [id]);
  const { actor, role } = caller;
  if (actor?.admin) return;
  const open = actor && !actor.external ? ['public', 'internal'] : ['public'];
  if (withAbove || (withBelow && role < Role.Guest)) keepVisibleGroups(query, id, open, actor?.id ?? null);
  if (role >= Role.Reporter && !withAbove) return;
  if (actor) query.where(`(not e.confidential or ${ROLE} >= ${Role.Reporter})`, ...twice(actor.id));
  else query.where('not e.confidential');
}

/** The guards have already checked the group of the request itself. */
function keepVisibleGroups(
  query: ListQuery<object>,
  groupId: number,
  open: readonly string[],
  userId: number | null,
): void {
  const visible = 'n.id = ? or n.visibility = any(?::text[])';
  if (userId === null) query.where(`(${visible})`, groupId, open);
  else query.where(`(${visible} or ${ROLE} >= ${Role.Guest})`, groupId, open, ...twice(userId));
}

/** Returns the user's id once per placeholder in `ROLE`. */
const twice = (userId: number): number[] => Array.from({ length: ROLE.split('?').length - 1 }, () => userId);
