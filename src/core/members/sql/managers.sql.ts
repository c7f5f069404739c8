import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from './role.sql.js';

/**
 * Groups in which membership counts: those above, those with which it or one of these is shared, and those
 * above them.
 */
const groups = (namespace: string, project: string | null, level: Role): string => `${namespace}.traversal_ids
  || array(select unnest(role_g.traversal_ids) from group_links role_l join namespaces role_g on role_g.id = role_l.group_id
    where role_l.access_level >= ${level} and (${project === null ? '' : `(role_l.source_type = 'Project' and role_l.source_id = ${project}.id) or `}
      (role_l.source_type = 'Namespace' and role_l.source_id = any(${namespace}.traversal_ids))))`;

/** All users who may have the role, by an index: rows of one column. */
const candidates = (namespace: string, project: string | null, level: Role): string =>
  `select ${namespace}.owner_id where ${namespace}.owner_id is not null
  union select role_m.user_id from members role_m where role_m.access_level >= ${level}
    and (${project === null ? '' : `(role_m.source_type = 'Project' and role_m.source_id = ${project}.id) or `}
      (role_m.source_type = 'Namespace' and role_m.source_id = any(${groups(namespace, project, level)})))`;

/** SQL condition: the person `u` can receive mail: an active account with a confirmed address. */
export const READS_MAIL = `u.state = 'active' and u.user_type = 'human' and u.confirmed_at is not null and not u.pending_delete`;

/**
 * SQL from-item `u`: Maintainers and Owners of a project who can receive mail; arguments are the aliases of
 * the project and its namespace.
 */
export const projectManagersSql = (project: string, namespace: string): string =>
  `lateral (select u.* from (${candidates(namespace, project, Role.Maintainer)}) c (user_id) join users u on u.id = c.user_id
    where ${READS_MAIL} and ${projectRoleSql('u.id', project, namespace)} >= ${Role.Maintainer}) u`;

/** SQL from-item `u`: Owners of a group who can receive mail; the argument is the alias of the group. */
export const groupOwnersSql = (group: string): string =>
  `lateral (select u.* from (${candidates(group, null, Role.Owner)}) c (user_id) join users u on u.id = c.user_id
    where ${READS_MAIL} and ${groupRoleSql('u.id', group)} >= ${Role.Owner}) u`;
