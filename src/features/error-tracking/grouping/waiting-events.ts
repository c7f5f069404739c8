import { runPrepared } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { EventFacts } from './facts/event-facts.js';

/** An event that does not belong to an error yet. */
export interface WaitingEvent {
  readonly id: number;
  readonly projectId: number;
  readonly level: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  /** Facts found by the intake, so that the payload is not read; null if they must be read now. */
  readonly facts: EventFacts | null;
  readonly payload: string | null;
}

/** Limit of bytes read of all events of a batch, approximately: they are in memory together. */
const MAX_BYTES = 8_388_608;

/**
 * The oldest waiting events, locked; skips those locked by other workers. Also locks the project, as foreign
 * keys of errors will: removing a project locks it before its events, and waiting for it here with events
 * locked would be a deadlock.
 */
const TAKE = {
  name: 'error_events_take',
  text: `with free as materialized (
    select e.id, e.project_id, e.level, e.environment, e.release, e.occurred_at, e.received_at, e.facts,
      case when e.facts is null then e.payload end as payload, octet_length(coalesce(e.facts::text, e.payload)) as size
    from error_tracking_events e join projects p on p.id = e.project_id
    where e.error_id is null order by e.id limit $1
    for no key update of e skip locked for key share of p skip locked)
  select id, project_id as "projectId", coalesce(level, 'error') as level, environment, release, occurred_at as "occurredAt",
    received_at as "receivedAt", facts, payload, found
  from (select free.*, sum(size) over (order by id) - size as before, count(*) over () as found from free) measured
  where before < ${MAX_BYTES} order by id`,
};

/** Locked events, and whether there were more. */
export interface TakenEvents {
  readonly events: readonly WaitingEvent[];
  readonly hasMore: boolean;
}

/** Locks the oldest waiting events that are unlocked: at most `limit`, and within the memory limit. */
export async function takeWaiting(tx: Tx, limit: number): Promise<TakenEvents> {
  const events = await runPrepared<WaitingEvent & { found: number }>(tx, TAKE, [limit]);
  const found = events[0]?.found ?? 0;
  return { events, hasMore: found === limit || events.length < found };
}

/** SQL condition: any event is waiting, locked or not. */
export const IS_ANY_WAITING = 'exists (select from error_tracking_events where error_id is null)';

/** Returns whether any event is waiting. */
export async function isAnyWaiting(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ waits: boolean }[]>(`select ${IS_ANY_WAITING} as waits`);
  return row?.waits === true;
}
