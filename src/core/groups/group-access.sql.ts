import { live } from '#kernel/database/time.sql.js';

/** SQL that tells which of many groups somebody can see or has a role in; `n` is the alias of namespaces. */

/** Ids of the groups that give a user a role of at least that level, in themselves and in all below. */
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
 * Condition: the user has at least that role in the group. Both expressions appear twice. The ids are gathered first, through
 * the index of `traversal_ids`: a plan that walks the order of the list instead would test every group.
 */
export const hasGroupRoleSql = (user: string, level: string): string =>
  `n.id = any(array(select d.id from namespaces d where d.traversal_ids && array(${granting(user, level)})))`;
