import { live } from '#kernel/database/time.sql.js';

/** The longest grace, so that a date stays one. */
const MAX_HOURS = 8_760_000;

/**
 * The groups that ask the user `user` (an expression) for a second factor, and the membership `m` that makes it their duty: those that they are a
 * member of, directly, through a group above or one that is invited, and those above a group that they are a member of. Members of single
 * projects are none of the group.
 */
const asking = (user: string): string => `namespaces ask
    join members m on m.user_id = ${user} and m.source_type = 'Namespace' and ${live('m')}
    join namespaces mine on mine.id = m.source_id and not mine.pending_delete
  where ask.second_factor_asked_at is not null and not ask.pending_delete
    and (ask.id = any(mine.traversal_ids) or mine.id = any(ask.traversal_ids)
      or exists (select 1 from group_links l join namespaces invited on invited.id = l.group_id and not invited.pending_delete
        where l.source_type = 'Namespace' and l.source_id = any(ask.traversal_ids) and ${live('l')} and mine.id = any(invited.traversal_ids)))`;

/** SQL condition: one of their groups asks the user for a second factor. */
export const askedByGroupSql = (user: string): string => `exists (select 1 from ${asking(user)})`;

/**
 * Scalar expression: when the user with this alias must have one, as the first of their groups has it; null where none asks. The hours of grace run
 * from when the group began to ask, they became a member, and they were first seen without, whichever is latest.
 */
export const dueToGroupSql = (
  alias: string,
): string => `(select min(greatest(ask.second_factor_asked_at, m.created_at,
    coalesce(${alias}.two_factor_grace_started_at, now()))
    + make_interval(hours => least(coalesce((ask.settings->>'two_factor_grace_period')::numeric, 48), ${MAX_HOURS})::int))
  from ${asking(`${alias}.id`)})`;
