import { live } from '#kernel/database/time.sql.js';

/** Maximum grace period for which the result is a valid date. */
const MAX_HOURS = 8_760_000;

/**
 * Groups that require the user `user` (an expression) to have a second factor, and the membership `m` that
 * subjects the user to it: groups of the user, directly, by a group above or an invited one, and those above
 * a group of the user. Members of single projects are not members of the group.
 */
const asking = (user: string): string => `namespaces ask
    join members m on m.user_id = ${user} and m.source_type = 'Namespace' and ${live('m')}
    join namespaces mine on mine.id = m.source_id and not mine.pending_delete
  where ask.second_factor_asked_at is not null and not ask.pending_delete
    and (ask.id = any(mine.traversal_ids) or mine.id = any(ask.traversal_ids)
      or exists (select 1 from group_links l join namespaces invited on invited.id = l.group_id and not invited.pending_delete
        where l.source_type = 'Namespace' and l.source_id = any(ask.traversal_ids) and ${live('l')} and mine.id = any(invited.traversal_ids)))`;

/** SQL condition: a group of the user requires a second factor. */
export const askedByGroupSql = (user: string): string => `exists (select 1 from ${asking(user)})`;

/**
 * SQL expression: when the user with this alias must have one, by the earliest deadline of the user's groups;
 * null if none requires it. The grace period starts when the group began to require it, the user became a
 * member, or the user was first seen without it, whichever is latest.
 */
export const dueToGroupSql = (
  alias: string,
): string => `(select min(greatest(ask.second_factor_asked_at, m.created_at,
    coalesce(${alias}.two_factor_grace_started_at, now()))
    + make_interval(hours => least(coalesce((ask.settings->>'two_factor_grace_period')::numeric, 48), ${MAX_HOURS})::int))
  from ${asking(`${alias}.id`)})`;
