import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { runWithCommit } from '#kernel/database/statements/prepared.js';
import type { Asked } from '#kernel/database/statements/statement-batch.js';
import { afterCommit, type Tx } from '#kernel/database/transactions.js';
import { jobOrigin } from '#kernel/log/request-context.js';
import type { AnyJobDefinition, JobDefinition, JsonObject } from './job-definition.js';
import { Wakes } from './outbox/wakes.js';

/** Options for enqueuing a job. */
export interface EnqueueOptions {
  /** The job does not start earlier. */
  readonly delayMs?: number;
  /** Replaces the key that the job's `dedupe` derives from the payload. */
  readonly dedupeKey?: string;
}

/** A row of the table, as JSON. */
interface NewJob {
  readonly queue: string;
  readonly name: string;
  readonly payload: JsonObject;
  readonly key: string | null;
  readonly correlation: string | null;
  readonly delay: number;
}

/**
 * On conflict the waiting row absorbs the new job. The row is updated rather than left alone, which locks it:
 * it cannot start before this transaction has committed and then miss what it has written. A pause after a
 * failed attempt stays unchanged.
 */
const ENQUEUE = `insert into background_jobs (queue, name, payload, dedupe_key, correlation_id, run_at)
  select j ->> 'queue', j ->> 'name', j -> 'payload', j ->> 'key', j ->> 'correlation', clock_timestamp() + (j -> 'delay')::float8 * interval '1 ms'
  from jsonb_array_elements($1::jsonb) with ordinality as given(j, position) order by position
  on conflict (name, dedupe_key) where dedupe_key is not null and state in ('pending', 'handed')
  do update set run_at = case when background_jobs.attempt = 0 then least(background_jobs.run_at, excluded.run_at)
    else background_jobs.run_at end`;

/**
 * Inserts all jobs of a transaction in one statement; several with the same name and key become the first of
 * them, due at the earliest time.
 */
function insertAll(jobs: readonly NewJob[]): Asked {
  const byKey = new Map<unknown, NewJob>();
  for (const job of jobs) {
    const id = job.key === null ? job : `${job.name} ${job.key}`;
    const first = byKey.get(id) ?? job;
    byKey.set(id, { ...first, delay: Math.min(first.delay, job.delay) });
  }
  return { text: ENQUEUE, values: [JSON.stringify([...byKey.values()])] };
}

/**
 * Jobs that a statement adds for the rows that it creates: `payload` is an expression over the rows of
 * `from`.
 */
export interface JobsOfRows {
  readonly job: AnyJobDefinition;
  readonly payload: string;
  readonly from: string;
}

/**
 * Returns SQL that adds jobs in the statement that creates their subjects, without deduplication; the
 * correlation id is an expression. It returns the ids: the caller tells `announce` whether there are any.
 */
export const enqueueSql = (wanted: readonly JobsOfRows[], correlationId: string): string =>
  `insert into background_jobs (queue, name, payload, correlation_id)
    ${wanted.map(({ job, payload, from }) => `select '${job.queue}', '${job.name}', ${payload}, ${correlationId} from ${from}`).join(' union all ')}
    returning id`;

/** Adds a job from a command, outside of the service: workers find it when they next look, within half a minute. */
export async function enqueueOutside<Payload extends JsonObject>(
  client: ClientBase,
  job: JobDefinition<Payload>,
  payload: Payload,
): Promise<void> {
  const { queue, name } = job;
  const key = job.dedupe?.(payload) ?? null;
  const { text, values = [] } = insertAll([{ queue, name, payload, key, correlation: null, delay: 0 }]);
  await client.query(text, [...values]);
}

/** Enqueues background jobs in the caller's transaction: they run only after its commit. */
@Injectable()
export class Jobs {
  constructor(private readonly wakes: Wakes) {}

  /** Adds a job. A job with the same name and key that has not started by the commit of `tx` absorbs it. */
  async enqueue<Payload extends JsonObject>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payload: Payload,
    options: EnqueueOptions = {},
  ): Promise<void> {
    const key = options.dedupeKey ?? job.dedupe?.(payload) ?? null;
    await this.insert(tx, job, [payload], key, options.delayMs ?? 0);
  }

  /** Adds many jobs of one kind in one statement, without deduplication. */
  async enqueueAll<Payload extends JsonObject>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payloads: readonly Payload[],
    options: Pick<EnqueueOptions, 'delayMs'> = {},
  ): Promise<void> {
    if (payloads.length > 0) await this.insert(tx, job, payloads, null, options.delayMs ?? 0);
  }

  /**
   * After the commit of `tx`, announces the jobs that one of its statements added by `enqueueSql`, if any.
   * `areThere` must not reject.
   */
  announce(tx: Tx, areThere: () => Promise<boolean>): void {
    afterCommit(tx, async () => {
      if (await areThere()) this.wakes.wake();
    });
  }

  private async insert<Payload extends JsonObject>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payloads: readonly Payload[],
    key: string | null,
    delayMs: number,
  ): Promise<void> {
    for (const payload of payloads) refuseSecrets(job.name, payload);
    const correlation = jobOrigin();
    const { queue, name } = job;
    const rows = payloads.map((payload) => ({ queue, name, payload, key, correlation, delay: delayMs }));
    await runWithCommit(tx, insertAll, rows);
    afterCommit(tx, () => this.wakes.wake(delayMs));
  }
}

/** Only unambiguous names: `key`, `message` or `title` are fine in a payload. */
const SECRET_KEY = /(token|password|passphrase|secret|authorization|private_?key)$/i;

function refuseSecrets(job: string, payload: JsonObject): void {
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value === 'string' && SECRET_KEY.test(name)) {
      throw new Error(`Payload of job ${job} holds ${name}: pass the id of a row that keeps it encrypted`);
    }
  }
}
