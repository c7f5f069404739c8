import { Role } from '#kernel/access/roles.js';
import { live } from '#kernel/database/time.sql.js';

/** SQL for effective roles, used by guards for one subject and by lists for many. */

/**
 * Levels of a user by everything that gives a role in a group or project, as rows of one column `level`:
 * direct and inherited memberships, and groups that it, or a group above it, is shared with. `traversal` is
 * an expression of type bigint[], `project` the project's id or null. Minimal access to a group gives none to
 * its projects, and a group that is being removed gives no access.
 */
function levels(user: string, traversal: string, project: string | null): string {
  const direct =
    project === null
      ? ''
      : `select m.access_level as level from members m
         where m.user_id = ${user} and m.source_type = 'Project' and m.source_id = ${project} and ${live('m')}
         union all `;
  const counts = project === null ? '' : `and m.access_level > ${Role.Minimal}`;
  const shared = project === null ? '' : `(l.source_type = 'Project' and l.source_id = ${project}) or `;
  return `${direct}select m.access_level as level from members m
      where m.user_id = ${user} and m.source_type = 'Namespace' and m.source_id = any(${traversal}) and ${live('m')} ${counts}
    union all
    select least(l.access_level, m.access_level) as level from group_links l
      join namespaces g on g.id = l.group_id and not g.pending_delete
      join members m on m.user_id = ${user} and m.source_type = 'Namespace' and m.source_id = any(g.traversal_ids) and ${live('m')} ${counts}
      where (${shared}(l.source_type = 'Namespace' and l.source_id = any(${traversal}))) and ${live('l')}`;
}

/**
 * SQL expression: the effective role of a user in a group (0 for none); `group` is an alias of namespaces.
 */
export const groupRoleSql = (user: string, group: string): string =>
  `coalesce((select max(level) from (${levels(user, `${group}.traversal_ids`, null)}) levels), 0)`;

/**
 * SQL expression: the effective role of a user in a project; `namespace` is the alias of its namespaces row.
 */
export const projectRoleSql = (user: string, project: string, namespace: string): string =>
  `case when ${namespace}.owner_id = ${user} then ${Role.Owner} else
    coalesce((select max(level) from (${levels(user, `${namespace}.traversal_ids`, `${project}.id`)}) levels), 0) end`;
