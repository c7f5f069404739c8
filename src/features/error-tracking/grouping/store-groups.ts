import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { EventGroup } from './gather-events.js';

const SHOWN = ['name', 'description', 'actor', 'level', 'platform', 'environment', 'release'] as const;

/**
 * One row per group, in order. An error shows the facts of its last event. A resolved error is reopened if an
 * event was received since: `updated_at` is the parameter for that time, and the present time afterwards.
 */
const UPSERT = `insert into error_tracking_errors as e
    (project_id, group_key, ${SHOWN.join(', ')}, events_count, first_seen_at, last_seen_at, updated_at)
  select project_id, decode(group_key, 'hex'), ${SHOWN.join(', ')}, events_count, first_seen_at, last_seen_at, received_at
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::bigint[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[]) with ordinality as given(project_id, group_key,
    ${SHOWN.join(', ')}, events_count, first_seen_at, last_seen_at, received_at, position)
  order by position
  on conflict (project_id, group_key) do update set
    ${SHOWN.map((name) => `${name} = case when excluded.last_seen_at < e.last_seen_at then e.${name} else excluded.${name} end`).join(', ')},
    events_count = e.events_count + excluded.events_count,
    first_seen_at = least(e.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(e.last_seen_at, excluded.last_seen_at),
    status = case when e.status = 'resolved' and excluded.updated_at >= e.resolved_at then 'unresolved' else e.status end,
    resolved_at = case when excluded.updated_at >= e.resolved_at then null else e.resolved_at end,
    updated_at = ${STATEMENT_TIME}
  returning id, project_id || ':' || encode(group_key, 'hex') as key`;

/**
 * Users are counted once per error; other writers of the error wait for its row. The day on which a user was seen is written
 * anew after ten days only.
 */
const COUNT = `with new_users as (
    insert into error_tracking_error_users (error_id, user_key)
    select error_id, decode(user_key, 'hex') from unnest($1::bigint[], $2::text[]) as given(error_id, user_key)
    on conflict do nothing returning error_id),
  seen as (
    update error_tracking_error_users u set seen_on = current_date
    from unnest($1::bigint[], $2::text[]) as given(error_id, user_key)
    where u.error_id = given.error_id and u.user_key = decode(given.user_key, 'hex') and u.seen_on < current_date - 10),
  counted as (
    update error_tracking_errors e set users_count = e.users_count + fresh.users
    from (select error_id, count(*) as users from new_users group by error_id) fresh where e.id = fresh.error_id),
  by_hour as (
    insert into error_tracking_hours as h (error_id, hour, events_count)
    select * from unnest($3::bigint[], $4::timestamptz[], $5::integer[])
    on conflict (error_id, hour) do update set events_count = h.events_count + excluded.events_count)
  update error_tracking_events e set error_id = given.error_id, facts = null
  from unnest($6::bigint[], $7::bigint[]) as given(id, error_id) where e.id = given.id`;

/** Adds groups of events to their errors, in two statements for any number. */
export async function storeGroups(tx: Tx, groups: readonly EventGroup[]): Promise<void> {
  const rows = await tx.query<{ id: number; key: string }[]>(UPSERT, [
    groups.map((group) => group.projectId),
    groups.map((group) => group.groupKey),
    ...SHOWN.map((name) => groups.map(({ last }) => ({ ...last, ...last.facts })[name])),
    groups.map((group) => group.eventIds.length),
    groups.map((group) => group.firstSeenAt),
    groups.map((group) => group.last.occurredAt),
    groups.map((group) => group.lastReceivedAt),
  ]);
  const ids = new Map(rows.map(({ id, key }) => [key, id]));
  await tx.query(
    COUNT,
    countsOf(groups.map((group) => ({ ...group, id: ids.get(`${group.projectId}:${group.groupKey}`) }))),
  );
}

function countsOf(groups: readonly (EventGroup & { readonly id: number | undefined })[]): unknown[] {
  const users = groups.flatMap(({ id, userKeys }) => [...userKeys].map((key) => ({ id, key })));
  const hours = groups.flatMap(({ id, hours: counts }) =>
    [...counts].map(([hour, count]) => ({ id, hour: new Date(hour), count })),
  );
  const events = groups.flatMap(({ id, eventIds }) => eventIds.map((eventId) => ({ id, eventId })));
  return [
    users.map(({ id }) => id),
    users.map(({ key }) => key),
    hours.map(({ id }) => id),
    hours.map(({ hour }) => hour),
    hours.map(({ count }) => count),
    events.map(({ eventId }) => eventId),
    events.map(({ id }) => id),
  ];
}
