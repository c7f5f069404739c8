import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneErrorEventsJob } from './prune-error-events.job.js';

/** Rows per transaction; payloads may be large. */
export const ERROR_EVENTS_AT_ONCE = 500;

const OLD = `now() - interval '90 days'`;

const DELETE_EVENTS = `with gone as (delete from error_tracking_events where id = any(array(
    select id from error_tracking_events where received_at < ${OLD} order by received_at limit ${ERROR_EVENTS_AT_ONCE} for update skip locked))
  returning error_id)
  select count(*) as total, array(select distinct error_id from gone where error_id is not null order by 1) as errors from gone`;

/** A separate statement: only reads after the lock include events grouped in the meantime. */
const LOCK_ERRORS = `select 1 from error_tracking_errors where id = any($1::bigint[]) order by project_id, group_key for update`;

const DELETE_EMPTY = `delete from error_tracking_errors e where e.id = any($1::bigint[])
  and not exists (select from error_tracking_events v where v.error_id = e.id)`;

const DELETE_HOURS = `delete from error_tracking_hours where ctid = any(array(
  select ctid from error_tracking_hours where hour < ${OLD} limit ${ERROR_EVENTS_AT_ONCE} for update skip locked))`;

/** Seen last at least 90 days ago: the day is written anew after ten. One who returns is counted once more. */
const DELETE_USERS = `delete from error_tracking_error_users where (error_id, user_key) in (
  select error_id, user_key from error_tracking_error_users where seen_on < current_date - 100
  order by seen_on limit ${ERROR_EVENTS_AT_ONCE} for update skip locked)`;

/**
 * Removes old events in batches, with the errors left without events. Counts of remaining errors still cover
 * all events and users since the first; hourly counts, and the keys by which a user is known again, are limited to 90 days.
 */
@Injectable()
export class PruneErrorEventsProcessor extends JobProcessor {
  readonly job = PruneErrorEventsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    for (const remove of [removeEvents, removeHours, removeUsers]) {
      while ((await this.transactions.run(remove)) === ERROR_EVENTS_AT_ONCE) signal.throwIfAborted();
    }
  }
}

async function removeEvents(tx: Tx): Promise<number> {
  const [gone] = await tx.query<{ total: number; errors: number[] }[]>(DELETE_EVENTS);
  if (gone && gone.errors.length > 0) {
    await tx.query(LOCK_ERRORS, [gone.errors]);
    await tx.query(DELETE_EMPTY, [gone.errors]);
  }
  return gone?.total ?? 0;
}

async function removeHours(tx: Tx): Promise<number> {
  return (await tx.query<[unknown[], number]>(DELETE_HOURS))[1];
}

async function removeUsers(tx: Tx): Promise<number> {
  return (await tx.query<[unknown[], number]>(DELETE_USERS))[1];
}
