import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import { isTransient } from '#kernel/database/transient.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { batcher } from '#kernel/queue/outbox/batcher.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { GROUPING_DELAY_MS, GroupErrorEventsJob } from '../grouping/group-events.job.js';
import type { SentEvent } from './envelope/sent-event.js';

/** An event to insert; its id is a UUID. */
interface NewEvent extends SentEvent {
  readonly id: string;
  readonly projectId: number;
}

/** Requests whose events are stored by one statement. */
const REQUESTS_A_BATCH = 64;
/** Larger requests are stored separately: several batches must fit into memory. */
const MAX_BATCHED_CHARACTERS = 256 * 1024;
const MAX_BATCHED_EVENTS = 10;

const ROWS_A_STATEMENT = 1_000;
const COLUMNS = 8;
const INSERT = `insert into error_tracking_events (project_id, event_id, level, environment, release, occurred_at, facts, payload) values `;

const FOREIGN_KEY = '23503';

/**
 * Stores events before responding to their senders, and enqueues their grouping. Concurrent requests share a
 * transaction.
 */
@Injectable()
export class ErrorEventStoreService {
  private readonly together = batcher<readonly NewEvent[], null>(
    (requests) => this.flush(requests),
    REQUESTS_A_BATCH,
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Stores events of a project, each id once; returns the first id. @throws 404 if the project was removed in
   * the meantime
   */
  async add(projectId: number, sent: readonly SentEvent[]): Promise<string | null> {
    const events = sent.map((event) => ({ ...event, projectId, id: event.id ?? randomUUID() }));
    const [first] = events;
    if (!first) return null;
    try {
      await (isLarge(events) ? this.store(events) : this.together.load(events));
    } catch (error) {
      throw errorCode(error) === FOREIGN_KEY ? notFound('Project') : error;
    }
    return first.id.replaceAll('-', '');
  }

  /** Returns the error of each request, or null: an error of one request must not fail the others. */
  private async flush(requests: readonly (readonly NewEvent[])[]): Promise<(Error | null)[]> {
    try {
      await this.store(requests.flat());
      return requests.map(() => null);
    } catch (error) {
      if (requests.length === 1 || isTransient(error)) throw error;
    }
    const failures: (Error | null)[] = [];
    for (const events of requests)
      failures.push(
        await this.store(events).then(
          () => null,
          (error: unknown) => error as Error,
        ),
      );
    return failures;
  }

  private store(events: readonly NewEvent[]): Promise<void> {
    return this.transactions.run(async (tx) => {
      await insert(tx, events);
      await this.jobs.enqueue(tx, GroupErrorEventsJob, {}, { delayMs: GROUPING_DELAY_MS });
    });
  }
}

const isLarge = (events: readonly NewEvent[]): boolean =>
  events.length > MAX_BATCHED_EVENTS ||
  events.reduce((sum, { payload }) => sum + payload.length, 0) > MAX_BATCHED_CHARACTERS;

/** Errors occur at the commit: the whole transaction is sent in one write. */
async function insert(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  // In a fixed order: transactions with the same events wait for each other instead of deadlocking.
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

/** Returns `($1, $2, ...), (...)`. */
const placeholders = (rows: number): string =>
  Array.from(
    { length: rows },
    (_, row) =>
      `(${Array.from({ length: COLUMNS }, (_, column) => `$${row * COLUMNS + column + 1}`).join(', ')})`,
  ).join(', ');
