import { Role } from '#kernel/access/roles.js';
import { live } from '#kernel/database/time.sql.js';

/** SQL for effective roles, used by guards for one subject and by lists for many. */

/**
 * Levels of a user by everything that gives a role in a group or project, as rows of one column `level`:
 * direct and inherited memberships, and groups that it, or a group above it, is shared with. `traversal` is
 * an expression of type bigint[], `project` the project's id or null. Minimal access to a group gives none to
 * its projects, and a group that is being removed gives no access. The aliases start with `role_`, because an
 * argument that names an alias of the caller must not mean one of these.
 */
function levels(user: string, traversal: string, project: string | null): string {
  const direct =
    project === null
      ? ''
      : `select role_m.access_level as level from members role_m
         where role_m.user_id = ${user} and role_m.source_type = 'Project' and role_m.source_id = ${project} and ${live('role_m')}
         union all `;
  const counts = project === null ? '' : `and role_m.access_level > ${Role.Minimal}`;
  const shared =
    project === null ? '' : `(role_l.source_type = 'Project' and role_l.source_id = ${project}) or `;
  return `${direct}select role_m.access_level as level from members role_m
      where role_m.user_id = ${user} and role_m.source_type = 'Namespace' and role_m.source_id = any(${traversal}) and ${live('role_m')} ${counts}
    union all
    select least(role_l.access_level, role_m.access_level) as level from group_links role_l
      join namespaces role_g on role_g.id = role_l.group_id and not role_g.pending_delete
      join members role_m on role_m.user_id = ${user} and role_m.source_type = 'Namespace'
        and role_m.source_id = any(role_g.traversal_ids) and ${live('role_m')} ${counts}
      where (${shared}(role_l.source_type = 'Namespace' and role_l.source_id = any(${traversal}))) and ${live('role_l')}`;
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
