import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { batcher } from './batcher.js';
import { CLAIMED_COLUMNS, type ClaimedJob } from './claimed-job.js';
import { QueueOptions } from '../queue-options.js';
import { QueuePool } from './queue-pool.js';

type Run = Pick<ClaimedJob, 'id' | 'runToken'>;

/** `for update` waits for an open transaction of the run that holds its fence. */
const OWN = `id = (select id from background_jobs where id = $1 and run_token = $2 and state = 'running' for update)`;

/** If a newer row with its key is waiting, a returned row gives up the key: both run. */
const KEEP_KEY = `dedupe_key = case when exists (select from background_jobs other
  where other.name = background_jobs.name and other.dedupe_key = background_jobs.dedupe_key
    and other.state in ('pending', 'handed')) then null else dedupe_key end`;

const FINISH = `delete from background_jobs using unnest($1::bigint[], $2::uuid[]) as run(id, token)
  where background_jobs.id = run.id and run_token = run.token returning run_token as token`;

const RENEW = `update background_jobs set lease_until = clock_timestamp() + $3 * interval '1 ms'
  from unnest($1::bigint[], $2::uuid[]) as run(id, token)
  where background_jobs.id = run.id and run_token = run.token and state = 'running' returning run_token as token`;

const RETRY = `update background_jobs set state = 'pending', run_token = null, lease_until = null, ${KEEP_KEY},
  run_at = clock_timestamp() + $3 * interval '1 ms', error_class = $4, error_message = $5 where ${OWN} returning id`;

const RETURN = `update background_jobs set state = 'pending', run_token = null, lease_until = null, ${KEEP_KEY},
  attempt = attempt - 1, run_at = clock_timestamp() + $3 * interval '1 ms' where ${OWN} returning id`;

const FAIL = `update background_jobs set state = 'failed', run_token = null, lease_until = null,
  failed_at = clock_timestamp(), error_class = $3, error_message = $4 where ${OWN} returning id`;

const TAKE_OVER = `update background_jobs set run_token = gen_random_uuid(), stalls = stalls + 1,
    lease_until = clock_timestamp() + $1 * interval '1 ms'
  where id = any(array(select id from background_jobs where state = 'running' and lease_until < now()
    order by lease_until limit 100 for update skip locked)) returning ${CLAIMED_COLUMNS}`;

/**
 * Ends running jobs: every statement checks the run token, so that a run whose job was taken over changes
 * nothing.
 */
@Injectable()
export class Runs {
  private readonly finishes = batcher<Run, boolean>((runs) => this.matchTokens('queue-finish', FINISH, runs));

  constructor(
    private readonly pool: QueuePool,
    private readonly options: QueueOptions,
  ) {}

  /** Deletes a finished job; false if the run's job was taken over. */
  finish(run: Run): Promise<boolean> {
    return this.finishes.load(run);
  }

  /** Extends leases; returns for each run whether it still owns its job. */
  renew(runs: readonly Run[]): Promise<boolean[]> {
    return this.matchTokens('queue-renew', RENEW, runs, [this.options.leaseMs]);
  }

  /** Returns a job to the queue for its next attempt. */
  async retry(run: Run, delayMs: number, errorClass: string, message: string): Promise<boolean> {
    return this.changed('queue-retry', RETRY, [run.id, run.runToken, delayMs, errorClass, message]);
  }

  /** Returns a job to the queue as if this run had not happened. */
  async giveBack(run: Run, delayMs = 0): Promise<boolean> {
    return this.changed('queue-return', RETURN, [run.id, run.runToken, delayMs]);
  }

  /** Marks a job as failed. */
  async fail(run: Run, errorClass: string, message: string): Promise<boolean> {
    return this.changed('queue-fail', FAIL, [run.id, run.runToken, errorClass, message]);
  }

  /** Takes jobs from workers that no longer renew their leases. */
  takeOverDead(): Promise<ClaimedJob[]> {
    return this.pool.query('queue-take-over', TAKE_OVER, [this.options.leaseMs]);
  }

  /**
   * Whether the run owns its job; the result is valid until `tx` ends, because a takeover needs a stronger
   * lock.
   */
  async fence(tx: Tx, run: Run): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `select 1 from background_jobs where id = $1 and run_token = $2 and state = 'running' for key share`,
      [run.id, run.runToken],
    );
    return rows.length === 1;
  }

  /** Deletes the job within `tx`; false if the run's job was taken over. */
  async finishIn(tx: Tx, run: Run): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `delete from background_jobs where id = $1 and run_token = $2 returning id`,
      [run.id, run.runToken],
    );
    return rows.length === 1;
  }

  private async changed(name: string, text: string, values: unknown[]): Promise<boolean> {
    return (await this.pool.query(name, text, values)).length === 1;
  }

  private async matchTokens(
    name: string,
    text: string,
    runs: readonly Run[],
    more: unknown[] = [],
  ): Promise<boolean[]> {
    // The same order for all statements over several rows, to avoid deadlocks.
    const sorted = [...runs].sort((a, b) => a.id - b.id);
    const values = [sorted.map((run) => run.id), sorted.map((run) => run.runToken), ...more];
    const rows = await this.pool.query<{ token: string }>(name, text, values);
    const tokens = new Set(rows.map((row) => row.token));
    return runs.map((run) => tokens.has(run.runToken));
  }
}
