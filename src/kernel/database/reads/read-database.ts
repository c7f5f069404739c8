import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Socket } from 'node:net';
import type pg from 'pg';
import './pg-types.js';
import { laneReach } from '#kernel/libraries/pg-inside.js';
import { beginQuery, requestContext } from '#kernel/log/request-context.js';
import { PLANNER_COSTS } from '../planner-costs.js';
import type { DatabaseAddress } from '../sessions/database-address.js';
import { FairTurns } from '../sessions/fair-turns.js';
import { sessionOptions } from '../sessions/session-options.js';
import { watchedPool } from '../sessions/watched-client.js';
import { ReadNames } from './read-names.js';
import { readInPool } from '../lanes/bounded-query.js';
import { Detours } from '../lanes/detours.js';
import { BatchedRead, type Columns, type PositionedRow } from '../lanes/batched-read.js';
import type { NamedRead } from '../lanes/lane-query.js';
import type { Statement } from '../lists/list-query.js';
import { ReadLanes } from '../lanes/read-lanes.js';
import { isStaleStatement } from '../statements/database-errors.js';
import { readingTransaction } from '../transactions.js';

/**
 * A slow query would delay every short one behind it, so lanes give up early; the pool gives long ones more
 * time.
 */
const LANE_TIMEOUT_MS = 5_000;
const POOL_TIMEOUT_MS = 15_000;
/** Reads of a locked table wait for it elsewhere. */
const LOCK_TIMEOUT_MS = 250;
const LOCKED_TIMEOUT_MS = 2_000;

/** One plan for all values, made for few rows: starting parallel workers costs more than any short read (measured: 5-30 ms). */
export const PLANNER_OPTIONS = `-c plan_cache_mode=force_generic_plan -c max_parallel_workers_per_gather=0 -c jit=off ${PLANNER_COSTS}`;

/** The server that a ReadDatabase asks. */
interface ReadServer {
  /** In the names of connections and metrics. */
  readonly name: string;
  readonly connectMs: number;
  /** Makes the sockets of its connections. */
  readonly stream?: () => Socket;
  /** Whether it is a replica. */
  readonly isStandby?: boolean;
}

/** As long as a write waits for its connection: each one begins with a read. */
const PRIMARY: ReadServer = { name: 'read', connectMs: 10_000 };

/**
 * Prepared reads outside of transactions: short reads share two pipelined connections, longer ones take a
 * connection of a pool. Both plan each statement once (`force_generic_plan`), so lists must use their index
 * for any values. Within `Transactions.together` a read is a statement of that transaction, and sees what it
 * has written.
 */
@Injectable()
export class ReadDatabase implements OnApplicationShutdown {
  private readonly names = new ReadNames();
  private readonly lanes: ReadLanes;
  private readonly pool: pg.Pool;
  private readonly turns: FairTurns;
  private readonly detours: Detours;
  private isTurnOpen = false;
  /** Sends the lookups that wait for the end of the turn. */
  private batches: (() => void)[] = [];

  constructor(
    address: DatabaseAddress,
    poolSize = 4,
    { name, connectMs, stream, isStandby = false } = PRIMARY,
  ) {
    const options = (timeoutMs: number, lockMs = LOCK_TIMEOUT_MS): pg.ClientConfig => ({
      ...sessionOptions(
        address,
        `${PLANNER_OPTIONS} -c default_transaction_read_only=on`,
        { statement_timeout: timeoutMs, lock_timeout: lockMs },
        !isStandby,
      ),
      application_name: `forgeplane-${name}`,
      connectionTimeoutMillis: connectMs,
      ...(stream && { stream }),
    });
    this.detours = new Detours(options(POOL_TIMEOUT_MS), options(POOL_TIMEOUT_MS, LOCKED_TIMEOUT_MS));
    this.lanes = new ReadLanes(options(LANE_TIMEOUT_MS), (read, error) => this.detours.take(read, error));
    this.pool = watchedPool({ ...options(POOL_TIMEOUT_MS), max: poolSize, idleTimeoutMillis: 30_000 });
    this.pool.on('error', () => undefined);
    // A caller with many long reads leaves a connection to the others.
    this.turns = new FairTurns({ width: poolSize, share: Math.max(1, poolSize - 1), waitMs: connectMs });
    this.turns.register(name, () => this.pool);
  }

  /** Rows of a short read: at most some hundred rows, found through an index. */
  short<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const whole = readingTransaction();
    if (whole) return whole.query<Row[]>(text, [...values]);
    const name = this.names.nameOf(text);
    return name === null || !laneReach.available
      ? this.long<Row>(text, values)
      : this.inLane<Row>({ name, text, values }, beginQuery(text));
  }

  /**
   * Looks up single rows through an index, those of a turn of the event loop together. `text` takes an array
   * for each part of the key and returns the `position` of each row's key in them, from 1: `from
   * unnest($1::bytea[]) with ordinality as k(digest, position) ...`.
   */
  batched<Row extends PositionedRow>(text: string): BatchedRead<Row> {
    const name = this.names.reserve(text);
    // Runs for many requests at once, so it belongs to none of them.
    const ask = (columns: Columns): Promise<Row[]> =>
      requestContext.exit(() =>
        laneReach.available
          ? this.inLane<Row>({ name, text, values: columns })
          : this.long<Row>(text, columns),
      );
    return new BatchedRead<Row>(text, ask, (send) => {
      this.openTurn();
      this.batches.push(send);
    });
  }

  private inLane<Row extends object>(read: NamedRead, finished?: () => void): Promise<Row[]> {
    this.openTurn();
    const other = this.detours.take(read) as Promise<Row[]> | null;
    if (!other) return this.lanes.query<Row>(read, finished);
    return finished ? other.finally(finished) : other;
  }

  /**
   * One lane for all reads of a turn, which are sent in one write.
   */
  private openTurn(): void {
    if (this.isTurnOpen) return;
    this.isTurnOpen = true;
    this.lanes.turn();
    setImmediate(() => this.endTurn());
  }

  private endTurn(): void {
    const batches = this.batches;
    this.batches = [];
    for (const send of batches) send();
    this.isTurnOpen = false;
    this.lanes.flush();
  }

  /** Rows of a read that may take longer: searches, deep pages, counts. */
  async long<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const whole = readingTransaction();
    if (whole) return whole.query<Row[]>(text, [...values]);
    const finished = beginQuery(text);
    const read = { text, values };
    try {
      const rows =
        this.detours.take(read) ??
        this.inPool(read).catch((error: unknown) => this.otherwise(read, error as Error));
      return (await rows) as Row[];
    } finally {
      finished();
    }
  }

  private async inPool({ text, values }: Statement): Promise<object[]> {
    const name = this.names.nameOf(text);
    const query = { text, values: values as unknown[] };
    const release = await this.turns.take();
    try {
      return await readInPool(this.pool, name === null ? query : { name, ...query });
    } finally {
      release();
    }
  }

  private otherwise(read: Statement, error: Error): Promise<object[]> {
    // The pool has closed the connection.
    if (isStaleStatement(error)) return this.inPool(read);
    const other = this.detours.take(read, error);
    if (other) return other;
    throw error;
  }

  /** Returns the only row of a short read, or null. */
  async one<Row extends object>(text: string, values: readonly unknown[]): Promise<Row | null> {
    return (await this.short<Row>(text, values))[0] ?? null;
  }

  /** Returns the row of a short read that always has one. @throws Error if it has none after all */
  async always<Row extends object>(text: string, values: readonly unknown[]): Promise<Row> {
    const row = await this.one<Row>(text, values);
    if (!row) throw new Error('A statement that always has a row has none');
    return row;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.lanes.close(), this.pool.end(), this.detours.close()]);
  }
}
