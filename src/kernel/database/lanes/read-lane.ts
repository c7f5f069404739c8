import type pg from 'pg';
import { wireOf } from '#kernel/libraries/pg-inside.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { RowsTooMany } from './bounded-query.js';
import { LaneQuery, type NamedRead } from './lane-query.js';
import { readRowsAtOnce } from './row-parser.js';
import { errorCode } from '../statements/database-errors.js';
import { isStaleStatement } from '../statements/database-errors.js';
import { SettledClient } from '../sessions/settled-client.js';

/** An open connection with the columns of its statements. */
interface Connection {
  readonly client: pg.Client;
  /** Columns of the statements that were described on this connection, by name. */
  readonly shapes: Map<string, unknown>;
  readonly stream: { cork(): void; uncork(): void };
  /** Whether a read with too many bytes closed it; the reads queued behind that one then do not count a loss. */
  isCut: boolean;
  /** Reads that wait for the answer to the one before; null if reads are pipelined. */
  readonly waiting: (() => void)[] | null;
  isBusy: boolean;
}

/** An unanswered read. */
interface Asked {
  readonly read: NamedRead;
  /** Called when the read succeeds or fails. */
  readonly finished: (() => void) | undefined;
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
  /** Context of the request: without it callbacks run in the context of the request that opened the connection. */
  readonly context: RequestContext | undefined;
  /** Number of connections lost while the read was running. */
  losses: number;
}

/** Runs a read elsewhere if it failed on the lane, or is known to fail there; null if the read or its error needs no detour. */
export type Detour = (read: NamedRead, error?: Error) => Promise<object[]> | null;

/**
 * One pipelined connection: it sends statements without waiting for earlier answers, and those of one turn of the event loop in one
 * write. It connects on demand and reconnects after a loss; a read that was running is then repeated once, which is safe for reads.
 */
export class ReadLane {
  private connecting: Promise<Connection> | null = null;
  private connection: Connection | null = null;
  private corked: Connection['stream'] | null = null;
  private closed = false;
  private underWay = 0;
  private answered = 0;
  /** Value of `answered` at the last check, and number of checks in a row without progress. */
  private seen = 0;
  private vainLooks = 0;

  /** Without a detour, a read that needs one fails. */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly detour: Detour = () => null,
  ) {}

  /** Whether no read is running. */
  get isIdle(): boolean {
    return this.underWay === 0;
  }

  /** Returns how many calls in a row found reads running on an open connection and none answered since the previous call; call it regularly. */
  look(): number {
    const isVain = this.underWay > 0 && this.connection !== null && this.answered === this.seen;
    this.vainLooks = isVain ? this.vainLooks + 1 : 0;
    this.seen = this.answered;
    return this.vainLooks;
  }

  /** Runs a read; calls `finished` when it succeeds or fails. */
  query<Row extends object>(read: NamedRead, finished?: () => void): Promise<Row[]> {
    return new Promise<object[]>((resolve, reject) => {
      this.underWay += 1;
      this.ask({ read, finished, resolve, reject, context: requestContext.getStore(), losses: 0 });
    }) as Promise<Row[]>;
  }

  async close(): Promise<void> {
    this.closed = true;
    const connection = await this.connecting?.catch(() => null);
    this.connection = null;
    await connection?.client.end();
  }

  /** Sends the statements gathered since the turn began. */
  flush(): void {
    this.corked?.uncork();
    this.corked = null;
  }

  private forget(connection: Connection): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.connecting = null;
    // Close the connection even if it is not lost, so that none leaks.
    connection.client.end().catch(() => undefined);
  }

  private ask(asked: Asked): void {
    if (this.connection) this.attempt(this.connection, asked);
    else
      this.connect().then(
        (connection) => this.attempt(connection, asked),
        (error: unknown) => this.settle(asked, error as Error),
      );
  }

  private attempt(connection: Connection, asked: Asked): void {
    this.send(connection, asked.read, (error, rows) => {
      if (error === null) {
        this.finish(asked);
        asked.resolve(rows);
        return;
      }
      if (error instanceof RowsTooMany) connection.isCut = true;
      if (this.closed || isFinal(error)) {
        this.settle(asked, error);
        return;
      }
      this.forget(connection);
      if (!connection.isCut) asked.losses += 1;
      if (asked.losses > 1) this.settle(asked, error);
      // A read as heavy as the one that closed this connection must not close the next one.
      else if (!this.isDetoured(asked)) inContextOf(asked, () => this.ask(asked));
    });
  }

  private settle(asked: Asked, error: Error): void {
    if (this.isDetoured(asked, error)) return;
    this.finish(asked);
    asked.reject(error);
  }

  private isDetoured(asked: Asked, error?: Error): boolean {
    const other = inContextOf(asked, () => this.detour(asked.read, error));
    if (!other) return false;
    this.finish(asked);
    other.then(asked.resolve, asked.reject);
    return true;
  }

  private finish({ finished }: Asked): void {
    this.underWay -= 1;
    this.answered += 1;
    finished?.();
  }

  private send(connection: Connection, read: NamedRead, done: Parameters<typeof LaneQuery.run>[3]): void {
    const { waiting } = connection;
    if (!waiting) this.write(connection, read, done);
    else if (connection.isBusy) waiting.push(() => this.send(connection, read, done));
    else {
      connection.isBusy = true;
      this.write(connection, read, (error, rows) => {
        connection.isBusy = false;
        waiting.shift()?.();
        done(error, rows);
      });
    }
  }

  private write(
    { client, shapes, stream }: Connection,
    read: NamedRead,
    done: Parameters<typeof LaneQuery.run>[3],
  ): void {
    if (this.corked !== stream) {
      this.flush();
      this.corked = stream;
      stream.cork();
      setImmediate(() => this.flush());
    }
    try {
      LaneQuery.run(client, shapes, read, done);
    } catch (error) {
      done(error as Error, []);
    }
  }

  private connect(): Promise<Connection> {
    this.connecting ??= this.open().catch((error: unknown) => {
      this.connecting = null;
      throw error;
    });
    return this.connecting;
  }

  private async open(): Promise<Connection> {
    // PgBouncer (1.18) gives a session to others at the end of the first of several transactions that were sent at once, and may split the next
    // one between two sessions ("invalid message format"): through a pooler each waits for the answer to the one before.
    const pipeline = !('opening' in this.options);
    // `pipeline` is newer than the type definitions of pg.
    const client = new SettledClient({ ...this.options, pipeline });
    const wire = wireOf(client);
    readRowsAtOnce(wire);
    const { stream } = wire;
    const opened = { client, stream, shapes: new Map<string, unknown>() };
    const connection: Connection = { ...opened, isCut: false, waiting: pipeline ? null : [], isBusy: false };
    const lost = (): void => this.forget(connection);
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.connection = connection;
    return connection;
  }
}

/** Runs `work` in the context of the read; jobs have no context, which `run` also accepts. */
const inContextOf = <T>({ context }: Asked, work: () => T): T =>
  requestContext.run(context as RequestContext, work);

/**
 * Whether an error is final, so that the read is not repeated: the server rejected the read (unless with SQLSTATE classes 08 and 57P, which
 * report its own end, or with a stale statement), its values could not be serialized, or its rows were too many bytes.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof RowsTooMany) return true;
  if (isStaleStatement(error)) return false;
  const code = errorCode(error);
  // EPIPE is of the system: every SQLSTATE has a digit.
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}
