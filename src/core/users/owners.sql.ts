import { Role } from '#kernel/access/roles.js';

/**
 * SQL condition: a group has an owner other than `user`, of the group or a group above, who is active and
 * whose membership does not expire (`decisions.md` 3). Both arguments are expressions, `traversal` of type
 * bigint[].
 */
export const keptByAnotherSql = (user: string, traversal: string): string =>
  `exists (select 1 from members o join users ou on ou.id = o.user_id
    where o.source_type = 'Namespace' and o.source_id = any(${traversal}) and o.access_level = ${Role.Owner} and o.user_id <> ${user}
      and o.expires_at is null and ou.user_type = 'human' and ou.state = 'active' and not ou.pending_delete)`;

/** Rows with a column `id`: the groups of which user $1 is the only such owner. */
export const OWNED_ALONE = `select m.source_id as id from members m join namespaces n on n.id = m.source_id
  where m.user_id = $1 and m.source_type = 'Namespace' and m.access_level = ${Role.Owner} and not n.pending_delete
    and (m.expires_at is null or m.expires_at > current_date) and not ${keptByAnotherSql('m.user_id', 'n.traversal_ids')}
  order by m.source_id`;
