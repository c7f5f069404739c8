import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import { isTransient } from '#kernel/database/transient.js';
import { errorCode, Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { Batcher } from '#kernel/queue/outbox/batcher.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { GROUPING_DELAY_MS, GroupErrorEventsJob } from '../grouping/group-events.job.js';
import type { SentEvent } from './envelope/sent-event.js';

/** An event on its way into the table; its id is a UUID. */
interface NewEvent extends SentEvent {
  readonly id: string;
  readonly projectId: number;
}

/** Requests whose events are stored by one statement. */
const REQUESTS_A_BATCH = 64;
/** Requests with more are stored by themselves: a batch must stay small enough to be held beside others. */
const MAX_BATCHED_CHARACTERS = 256 * 1024;
const MAX_BATCHED_EVENTS = 10;

const ROWS_A_STATEMENT = 1_000;
const COLUMNS = 8;
const INSERT = `insert into error_tracking_events (project_id, event_id, level, environment, release, occurred_at, facts, payload) values `;

const FOREIGN_KEY = '23503';

/** Keeps events before their senders hear of it, and has them grouped. Those of requests that come together share a transaction. */
@Injectable()
export class ErrorEventStore {
  private readonly batcher = new Batcher<readonly NewEvent[], Error | null>(
    (requests) => this.flush(requests),
    REQUESTS_A_BATCH,
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Stores events of a project, each id once; returns the first of their ids. @throws 404 when the project has gone meanwhile */
  async add(projectId: number, sent: readonly SentEvent[]): Promise<string | null> {
    const events = sent.map((event) => ({ ...event, projectId, id: event.id ?? randomUUID() }));
    const [first] = events;
    if (!first) return null;
    const failure = isLarge(events) ? await this.store(events) : await this.batcher.add(events);
    if (errorCode(failure) === FOREIGN_KEY) throw notFound('Project');
    if (failure !== null) throw failure;
    return first.id.replaceAll('-', '');
  }

  /** What went wrong with each request, or null: what one of them brings must not be the end of the others. */
  private async flush(requests: readonly (readonly NewEvent[])[]): Promise<(Error | null)[]> {
    const failure = await this.store(requests.flat());
    if (failure === null || requests.length === 1 || isTransient(failure)) return requests.map(() => failure);
    const failures: (Error | null)[] = [];
    for (const events of requests) failures.push(await this.store(events));
    return failures;
  }

  private async store(events: readonly NewEvent[]): Promise<Error | null> {
    try {
      await this.transactions.run(async (tx) => {
        await insert(tx, events);
        await this.jobs.enqueue(tx, GroupErrorEventsJob, {}, { delayMs: GROUPING_DELAY_MS });
      });
      return null;
    } catch (error) {
      return error as Error;
    }
  }
}

const isLarge = (events: readonly NewEvent[]): boolean =>
  events.length > MAX_BATCHED_EVENTS ||
  events.reduce((sum, { payload }) => sum + payload.length, 0) > MAX_BATCHED_CHARACTERS;

/** What goes wrong with it goes wrong with the commit: all of a transaction leaves in one write. */
async function insert(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  // In one order everywhere: transactions that bring the same events wait for each other instead of locking up.
  const ordered = events.toSorted((a, b) => a.projectId - b.projectId || (a.id < b.id ? -1 : 1));
  for (let start = 0; start < ordered.length; start += ROWS_A_STATEMENT) {
    const rows = ordered.slice(start, start + ROWS_A_STATEMENT);
    const values = rows.flatMap((row) => [
      row.projectId,
      row.id,
      row.level,
      row.environment,
      row.release,
      row.occurredAt,
      row.facts,
      row.payload,
    ]);
    await runDeferred(
      tx,
      `${INSERT}${placeholders(rows.length)} on conflict (project_id, event_id) do nothing`,
      values,
    );
  }
}

/** `($1, $2, ...), (...)` */
const placeholders = (rows: number): string =>
  Array.from(
    { length: rows },
    (_, row) =>
      `(${Array.from({ length: COLUMNS }, (_, column) => `$${row * COLUMNS + column + 1}`).join(', ')})`,
  ).join(', ');
