import { runPrepared } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { EventFacts } from './facts/event-facts.js';

/** An event that is not yet part of an error. */
export interface WaitingEvent {
  readonly id: number;
  readonly projectId: number;
  readonly level: string;
  readonly environment: string | null;
  readonly release: string | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  /** What the intake has found in the payload, which then is not read; null where it is to be found now. */
  readonly facts: EventFacts | null;
  readonly payload: string | null;
}

/** Bytes of what is read of all events of a batch, about: they are held in memory together. */
const MAX_BYTES = 8_388_608;

/**
 * The oldest waiting events, locked; what other workers have locked is theirs. The project is locked too, as the foreign keys of errors will want
 * it: who deletes a project locks it before its events, and waiting for that here, with events locked, would be a deadlock.
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

/** Events that were taken, and whether more were there than could be. */
export interface TakenEvents {
  readonly events: readonly WaitingEvent[];
  readonly hasMore: boolean;
}

/** Takes the oldest events that wait and that nobody else is at: `limit` of them at most, and no more than fit into memory. */
export async function takeWaiting(tx: Tx, limit: number): Promise<TakenEvents> {
  const events = await runPrepared<WaitingEvent & { found: number }>(tx, TAKE, [limit]);
  const found = events[0]?.found ?? 0;
  return { events, hasMore: found === limit || events.length < found };
}

/** SQL condition: some event waits, taken by somebody or not. */
export const IS_ANY_WAITING = 'exists (select from error_tracking_events where error_id is null)';

/** Whether any event waits. */
export async function isAnyWaiting(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ waits: boolean }[]>(`select ${IS_ANY_WAITING} as waits`);
  return row?.waits === true;
}
