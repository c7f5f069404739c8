import { live } from '#kernel/database/time.sql.js';

/** SQL that decides which of many groups a user can see or has a role in; `n` is the alias of namespaces. */

/** Ids of the groups that give a user at least this role, in themselves and in all below. */
const granting = (user: string, level: string): string =>
  `select m.source_id from members m where m.user_id = ${user} and m.source_type = 'Namespace'
      and m.access_level >= ${level} and ${live('m')}
    union all
    select l.source_id from members m
      join namespaces g on g.traversal_ids @> array[m.source_id] and not g.pending_delete
      join group_links l on l.group_id = g.id and l.source_type = 'Namespace' and ${live('l')}
      where m.user_id = ${user} and m.source_type = 'Namespace' and least(m.access_level, l.access_level) >= ${level}
        and ${live('m')}`;

/**
 * SQL condition: the user has at least this role in the group. Both expressions appear twice. The ids are
 * collected first, by the index on `traversal_ids`: a plan that walks the order of the list would test every
 * group.
 */
export const hasGroupRoleSql = (user: string, level: string): string =>
  `n.id = any(array(select d.id from namespaces d where d.traversal_ids && array(${granting(user, level)})))`;
