import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { groupRoleSql, projectRoleSql } from '#core/members/sql/role.sql.js';
import { projectsBelow } from '#core/projects/lists/projects-below.sql.js';
import type { ListLabelsParams } from '../labels.params.js';

const ME = '(select ?::bigint as id, ?::int as role, ?::boolean as internal, ?::bigint as container_id) me';

const valuesOf = ({ actor, role, subject }: Caller): readonly unknown[] => [
  actor?.id ?? null,
  role,
  actor !== null && !actor.external,
  subject?.id,
];

/**
 * Joins the caller as `me`: the id, the role in the project or group, whether internal projects are visible,
 * and the project or group.
 */
export function joinCaller(query: ListQuery<object>, caller: Caller): void {
  query.join(`cross join ${ME}`, ...valuesOf(caller));
}

/**
 * A role in a group applies to everything below; other callers see what is visible to them, or where they
 * have a role.
 */
const visible = (alias: string, role: string): string =>
  `case when me.role >= ${Role.Guest} or ${alias}.visibility = 'public' or (${alias}.visibility = 'internal' and me.internal)
    then true else ${role} >= ${Role.Guest} end`;

const GROUPS_BELOW = `select d.id from namespaces d where d.traversal_ids @> array[me.container_id] and d.type = 'Group'
  and not d.pending_delete and ${visible('d', groupRoleSql('me.id', 'd'))}`;

const PLANS = `(coalesce(p.settings->>'issues_access_level', 'enabled') <> all(r.closed)
  or coalesce(p.settings->>'merge_requests_access_level', 'enabled') <> all(r.closed))`;

/** Projects in a group (or all below it) whose labels the caller can see. */
const projectsSql = (projects: string): string => `select p.id from ${projects}
  join namespaces pn on pn.id = any(array[p.namespace_id])
  cross join lateral (select case when (case when me.role >= ${Role.Guest} then me.role else ${projectRoleSql('me.id', 'p', 'pn')} end)
    >= ${Role.Guest} then array['disabled'] else array['disabled', 'private'] end as closed) r
  where not p.pending_delete and ${visible('p', projectRoleSql('me.id', 'p', 'pn'))} and ${PLANS}`;

const IN_GROUP = projectsSql(
  '(select * from projects where namespace_id = any(array[me.container_id]) order by namespace_id) p',
);
const BELOW_GROUP = projectsSql(projectsBelow('me.container_id'));

/** SQL query for the labels of the owners that a query finds for the caller `me`. */
const labelsOf = (column: 'group_id' | 'project_id', owners: string): string =>
  `(select l.* from ${ME} cross join lateral (select * from labels where ${column} = any(array(${owners})) order by ${column}) l)`;

/**
 * Keeps the labels in a list of a group: of the given groups, and of what is below if requested and visible.
 */
export function keepBelow(
  query: ListQuery<object>,
  caller: Caller,
  groupIds: readonly number[],
  {
    include_descendant_groups: withDescendants = false,
    only_group_labels: onlyGroups = true,
  }: ListLabelsParams,
): void {
  const me = valuesOf(caller);
  const parts = [
    labelsOf('group_id', `select unnest(?::bigint[])${withDescendants ? ` union ${GROUPS_BELOW}` : ''}`),
  ];
  if (!onlyGroups) parts.push(labelsOf('project_id', withDescendants ? BELOW_GROUP : IN_GROUP));
  query.from(parts.join(' union all '), ...me, groupIds, ...(onlyGroups ? [] : me));
  if (withDescendants || !onlyGroups) query.long();
}
