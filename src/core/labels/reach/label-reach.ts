import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import type { ListLabelsParams } from '../labels.params.js';

/**
 * Joins the caller as `me`: the id, the role in the project or group, whether internal projects are visible,
 * and the project or group.
 */
export function joinCaller(query: ListQuery<object>, { actor, role, subject }: Caller): void {
  const sql =
    'cross join (select ?::bigint as id, ?::int as role, ?::boolean as internal, ?::bigint as container_id) me';
  query.join(sql, actor?.id ?? null, role, actor !== null && !actor.external, subject?.id);
}

/**
 * A role in a group applies to everything below; other callers see what is visible to them, or where they
 * have a role.
 */
const visible = (alias: string, role: string): string =>
  `case when me.role >= ${Role.Guest} or ${alias}.visibility = 'public' or (${alias}.visibility = 'internal' and me.internal)
    then true else ${role} >= ${Role.Guest} end`;

const GROUPS_BELOW = `l.group_id in (select d.id from namespaces d where d.traversal_ids @> array[me.container_id] and d.type = 'Group'
  and not d.pending_delete and ${visible('d', groupRoleSql('me.id', 'd'))})`;

const PLANS = `(coalesce(p.settings->>'issues_access_level', 'enabled') <> all(r.closed)
  or coalesce(p.settings->>'merge_requests_access_level', 'enabled') <> all(r.closed))`;

/** Projects in a group (or all below it) whose labels the caller can see. */
const projectsSql = (inGroup: string): string => `l.project_id in (select p.id from projects p
  join namespaces pn on pn.id = p.namespace_id
  cross join lateral (select case when (case when me.role >= ${Role.Guest} then me.role else ${projectRoleSql('me.id', 'p', 'pn')} end)
    >= ${Role.Guest} then array['disabled'] else array['disabled', 'private'] end as closed) r
  where ${inGroup} and not p.pending_delete and ${visible('p', projectRoleSql('me.id', 'p', 'pn'))} and ${PLANS})`;

const IN_GROUP = projectsSql('p.namespace_id = me.container_id');
const BELOW_GROUP = projectsSql('pn.traversal_ids @> array[me.container_id]');

/**
 * Keeps the labels in a list of a group: of the given groups, and of what is below if requested and visible.
 */
export function keepBelow(
  query: ListQuery<object>,
  groupIds: readonly number[],
  {
    include_descendant_groups: withDescendants = false,
    only_group_labels: onlyGroups = true,
  }: ListLabelsParams,
): void {
  const conditions = ['l.group_id = any(?::bigint[])'];
  if (withDescendants) conditions.push(GROUPS_BELOW);
  if (!onlyGroups) conditions.push(withDescendants ? BELOW_GROUP : IN_GROUP);
  query.where(`(${conditions.join(' or ')})`, groupIds);
  if (conditions.length > 1) query.long();
}
