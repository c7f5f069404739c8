import { Role } from '#kernel/access/roles.js';
import { groupRoleSql, projectRoleSql } from './role.sql.js';

/** Groups in which membership counts: those above the place, those with which it or one of these is shared, and those above them. */
const groups = (namespace: string, project: string | null, level: Role): string => `${namespace}.traversal_ids
  || array(select unnest(g.traversal_ids) from group_links l join namespaces g on g.id = l.group_id
    where l.access_level >= ${level} and (${project === null ? '' : `(l.source_type = 'Project' and l.source_id = ${project}.id) or `}
      (l.source_type = 'Namespace' and l.source_id = any(${namespace}.traversal_ids))))`;

/** Everybody who may have the role, through an index: rows of one column. */
const candidates = (namespace: string, project: string | null, level: Role): string =>
  `select ${namespace}.owner_id where ${namespace}.owner_id is not null
  union select m.user_id from members m where m.access_level >= ${level}
    and (${project === null ? '' : `(m.source_type = 'Project' and m.source_id = ${project}.id) or `}
      (m.source_type = 'Namespace' and m.source_id = any(${groups(namespace, project, level)})))`;

/** People to whom mails are sent at all: their account works, and they have confirmed that they read its mail. */
const READS_MAIL = `u.state = 'active' and u.user_type = 'human' and u.confirmed_at is not null and not u.pending_delete`;

/** FROM item `u`: those of its Maintainers and Owners who can be written to; for aliases of a project and its namespace. */
export const projectManagersSql = (project: string, namespace: string): string =>
  `lateral (select u.* from (${candidates(namespace, project, Role.Maintainer)}) c (user_id) join users u on u.id = c.user_id
    where ${READS_MAIL} and ${projectRoleSql('u.id', project, namespace)} >= ${Role.Maintainer}) u`;

/** FROM item `u`: those of its Owners who can be written to; for the alias of a group. */
export const groupOwnersSql = (group: string): string =>
  `lateral (select u.* from (${candidates(group, null, Role.Owner)}) c (user_id) join users u on u.id = c.user_id
    where ${READS_MAIL} and ${groupRoleSql('u.id', group)} >= ${Role.Owner}) u`;
