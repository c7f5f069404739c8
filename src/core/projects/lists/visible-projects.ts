import { live } from '#kernel/database/time.sql.js';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { COUNT_LIMIT } from '#kernel/http/paging/page.js';

/**
 * Ids of the projects that a user (the only parameter) has at least that role in: as a member, through a group above, through a group
 * that the project or a group above it is shared with, or as the owner of the namespace. The same rules as `role-sql.ts`, for all
 * projects at once.
 */
export const authorizedSql = (least: Role): string => `with caller as (select ?::bigint as id),
  mine as (select m.source_type, m.source_id from members m join caller on m.user_id = caller.id where ${live('m')} and m.access_level >= ${least}),
  held as (select array(select source_id from mine where source_type = 'Namespace') as ids),
  lent as (select l.source_type, l.source_id from group_links l join namespaces g on g.id = l.group_id and not g.pending_delete, held
    where ${live('l')} and l.access_level >= ${least} and g.traversal_ids && held.ids),
  roots as (select array(select source_id from mine where source_type = 'Namespace'
    union select source_id from lent where source_type = 'Namespace') as ids)
  select source_id as id from mine where source_type = 'Project'
  union select source_id from lent where source_type = 'Project'
  union select q.id from roots, namespaces x join projects q on q.namespace_id = x.id where x.traversal_ids && roots.ids
  union select q.id from caller join namespaces x on x.owner_id = caller.id join projects q on q.namespace_id = x.id`;

/** The same for any role. */
export const AUTHORIZED = authorizedSql(Role.Guest);

/** Levels of visibility that need no role. */
const openLevels = (actor: Actor): string[] => (actor.external ? ['public'] : ['public', 'internal']);

/** Keeps what the caller can see, as a condition: for lists that other filters make short. */
export function keepVisible(query: ListQuery<object>, actor: Actor | null): void {
  if (!actor) query.where(`p.visibility = 'public'`);
  else if (!actor.admin)
    query.where(`(p.visibility = any(?::text[]) or p.id in (${AUTHORIZED}))`, openLevels(actor), actor.id);
}

/** Columns of `projects` that have an index with the visibility before them and the id behind. */
export type MergeColumn = 'id' | 'name' | 'path' | 'updated_at' | 'last_activity_at';

/**
 * The same for the whole list in an order: public, internal and the caller's own projects are each read in that order and
 * merged as `v`, so that the first page costs the same whatever there is, and however little of it is visible. The planner
 * merges only what each branch sorts by itself, and keeps that order only where it cannot join `p` by merging or hashing.
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

/** Counts what `joinVisible` keeps without looking at the projects themselves: for lists without any filter. */
export function countVisible(query: ListQuery<object>, actor: Actor): void {
  const numbers = ['$1', '$2'];
  const union = visibleIds(actor, 'id', '').replace(/\?/g, () => numbers.shift() ?? '?');
  const text = `select count(*) as total from (select 1 from (${union}) v limit ${COUNT_LIMIT + 1}) counted`;
  query.totalFrom(text, openLevels(actor), actor.id);
}

/** Public and internal projects and, for the two parameters, the others that the user has a role in. */
function visibleIds(actor: Actor, columns: string, order: string): string {
  const branch = (condition: string): string =>
    `(select ${columns} from projects where ${condition} and not pending_delete${order})`;
  const branches = [
    ...openLevels(actor).map((level) => branch(`visibility = '${level}'`)),
    branch(`visibility <> all(?::text[]) and id = any(array(${AUTHORIZED}))`),
  ];
  return branches.join(' union all ') + order;
}
