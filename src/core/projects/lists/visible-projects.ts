import { live } from '#kernel/database/time.sql.js';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { COUNT_LIMIT } from '#kernel/http/paging/page.js';

/**
 * Ids of the projects in which a user (the only parameter) has at least this role: as a member, by a group
 * above, by a group that the project or a group above it is shared with, or as the owner of the namespace.
 * The same rules as `role-sql.ts`, for all projects at once. Namespaces are looked up in the index of projects, as
 * in `ListQuery.of`.
 */
export const authorizedSql = (least: Role): string => `with caller as (select ?::bigint as id),
  mine as (select m.source_type, m.source_id from members m join caller on m.user_id = caller.id where ${live('m')} and m.access_level >= ${least}),
  held as (select array(select source_id from mine where source_type = 'Namespace') as ids),
  lent as (select l.source_type, l.source_id from group_links l where l.group_id = any(array(
      select g.id from held, namespaces g where g.traversal_ids && held.ids and not g.pending_delete))
    and ${live('l')} and l.access_level >= ${least} order by l.group_id),
  roots as (select array(select source_id from mine where source_type = 'Namespace'
    union select source_id from lent where source_type = 'Namespace') as ids)
  select source_id as id from mine where source_type = 'Project'
  union select source_id from lent where source_type = 'Project'
  union (select q.id from projects q where q.namespace_id = any(array(
    select x.id from roots, namespaces x where x.traversal_ids && roots.ids
    union all select x.id from caller, namespaces x where x.owner_id = caller.id)) order by q.namespace_id)`;

/** Ids of the projects in which the user has any role. */
export const AUTHORIZED = authorizedSql(Role.Guest);

/** Visibility levels that need no role. */
const openLevels = (actor: Actor): string[] => (actor.external ? ['public'] : ['public', 'internal']);

/** Keeps projects that the caller can see, by a condition: for lists that other filters make short. */
export function keepVisible(query: ListQuery<object>, actor: Actor | null): void {
  if (!actor) query.where(`p.visibility = 'public'`);
  else if (!actor.admin)
    query.where(`(p.visibility = any(?::text[]) or p.id in (${AUTHORIZED}))`, openLevels(actor), actor.id);
}

/** Columns of `projects` that have an index with the visibility before and the id after them. */
export type MergeColumn = 'id' | 'name' | 'path' | 'updated_at' | 'last_activity_at';

/**
 * Keeps visible projects in a long ordered list: public, internal and the caller's own projects are each read
 * in order and merged as `v`, so that the first page costs the same for any number of projects, however few
 * are visible. The planner merges only what each branch sorts itself, and keeps the order only if it cannot
 * join `p` by merging or hashing.
 */
export function joinVisible(
  query: ListQuery<object>,
  actor: Actor,
  column: MergeColumn,
  sort: 'asc' | 'desc',
): void {
  const isById = column === 'id';
  const order = ` order by ${isById ? `id ${sort}` : `${column} ${sort}, id ${sort}`}`;
  const union = visibleIds(actor, isById ? 'id' : `id, ${column}`, order);
  query.join(`join (${union}) v on p.id = any(array[v.id])`, openLevels(actor), actor.id);
}

/** Counts the result of `joinVisible` without reading the projects: for unfiltered lists. */
export function countVisible(query: ListQuery<object>, actor: Actor): void {
  const numbers = ['$1', '$2'];
  const union = visibleIds(actor, 'id', '').replace(/\?/g, () => numbers.shift() ?? '?');
  const text = `select count(*) as total from (select 1 from (${union}) v limit ${COUNT_LIMIT + 1}) counted`;
  query.totalFrom(text, openLevels(actor), actor.id);
}

/**
 * Ids of public and internal projects and, for the two parameters, of others in which the user has a role.
 */
function visibleIds(actor: Actor, columns: string, order: string): string {
  const branch = (condition: string): string =>
    `(select ${columns} from projects where ${condition} and not pending_delete${order})`;
  const branches = [
    ...openLevels(actor).map((level) => branch(`visibility = '${level}'`)),
    branch(`visibility <> all(?::text[]) and id = any(array(${AUTHORIZED}))`),
  ];
  return branches.join(' union all ') + order;
}
