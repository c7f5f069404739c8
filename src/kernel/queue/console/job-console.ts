import { Injectable } from '@nestjs/common';
import { afterCommit, type Tx } from '#kernel/database/transactions.js';
import { definedNames, definedQueues } from '../job-definition.js';
import { discardable } from './job-listing.js';
import { Wakes } from '../outbox/wakes.js';

/** A job without attempts left gets all of them again; one waiting after a failed attempt becomes due now. */
const RETRY = `update background_jobs set state = 'pending', run_at = clock_timestamp(), failed_at = null,
    attempt = case when state = 'failed' then 0 else attempt end, stalls = case when state = 'failed' then 0 else stalls end,
    dedupe_key = case when state = 'failed' then null else dedupe_key end
  where id = $1 and (state = 'failed' or state = 'pending' and attempt > 0 and run_at > now()) returning name`;

const DISCARD = `delete from background_jobs where id = $1 and ${discardable('$2')} returning name`;

const PAUSE = 'insert into paused_queues (name) values ($1) on conflict (name) do nothing returning name';

/** Their deliveries through Redis will find no job. In the order of the index of leases, as in `leasedSql`. */
const TAKE_BACK = `update background_jobs set state = 'pending', run_token = null, lease_until = null
  where id = any(array(select id from background_jobs where queue = $1 and state = 'handed' order by lease_until for update skip locked))`;

const RESUME = 'delete from paused_queues where name = $1 returning name';

/**
 * Actions of operators on jobs and queues, each in the transaction that audits it; the same with both
 * drivers.
 */
@Injectable()
export class JobConsole {
  constructor(private readonly wakes: Wakes) {}

  /**
   * Runs a failed job again, or now if it waits after a failed attempt. Returns its name, or null if there is
   * no such job.
   */
  async retry(tx: Tx, id: number): Promise<string | null> {
    const name = await changed(tx, RETRY, id);
    if (name !== null) afterCommit(tx, () => this.wakes.wake());
    return name;
  }

  /**
   * Deletes a failed job, or a waiting one that this version does not know; other waiting ones and running ones
   * belong to their producers. Returns its name, or null if there is no such job.
   */
  discard(tx: Tx, id: number): Promise<string | null> {
    return changed(tx, DISCARD, id, definedNames());
  }

  /**
   * Pauses a queue: no further job starts, running ones continue. False if it was already paused. @throws
   * Error for an unknown queue
   */
  async pause(tx: Tx, queue: string): Promise<boolean> {
    requireQueue(queue);
    if ((await changed(tx, PAUSE, queue)) === null) return false;
    await tx.query(TAKE_BACK, [queue]);
    return true;
  }

  /** Resumes a queue. False if it was not paused. */
  async resume(tx: Tx, queue: string): Promise<boolean> {
    if ((await changed(tx, RESUME, queue)) === null) return false;
    afterCommit(tx, () => this.wakes.wake());
    return true;
  }
}

/** `returning` of an update or delete comes with the number of rows, that of an insert without. */
async function changed(tx: Tx, text: string, ...values: readonly unknown[]): Promise<string | null> {
  const [row] = await tx.query<{ name: string }[]>(`with done as (${text}) select name from done`, [
    ...values,
  ]);
  return row?.name ?? null;
}

function requireQueue(queue: string): void {
  if (!definedQueues().includes(queue)) throw new Error(`There is no queue ${queue}`);
}
