import pg from 'pg';
import { wireOf } from '#kernel/libraries/pg-inside.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { RowsTooMany } from './bounded-query.js';
import { LaneQuery, type NamedRead } from './lane-query.js';
import { readRowsAtOnce } from './row-parser.js';
import { errorCode } from '../transactions.js';
import { isStaleStatement } from '../transactions.js';

/** An open connection with what it has learnt of its statements. */
interface Connection {
  readonly client: pg.Client;
  /** Columns of the statements that were described on this connection, by name. */
  readonly shapes: Map<string, unknown>;
  readonly stream: { cork(): void; uncork(): void };
  /** It was cut because of a read that brought too much: that is not the fault of those behind it. */
  isCut: boolean;
}

/** A read until it is answered. */
interface Asked {
  readonly read: NamedRead;
  /** Told when the answer is there, whichever it is. */
  readonly finished: (() => void) | undefined;
  readonly resolve: (rows: object[]) => void;
  readonly reject: (error: unknown) => void;
  /** The answers of a connection come in the context of whoever opened it. */
  readonly context: RequestContext | undefined;
  /** Connections that were lost under it. */
  losses: number;
}

/** The rows of a read that has failed here, or is known to; null where this is the right place for it, or the error another one. */
export type Detour = (read: NamedRead, error?: Error) => Promise<object[]> | null;

/**
 * One pipelined connection: statements are sent without waiting for the answers before them, and those of one turn of the
 * event loop leave in one write. It connects on demand and anew after a loss; what was under way then fails once and is
 * repeated once, which reading allows.
 */
export class ReadLane {
  private connecting: Promise<Connection> | null = null;
  private connection: Connection | null = null;
  private corked: Connection['stream'] | null = null;
  private closed = false;
  private underWay = 0;
  private answered = 0;
  /** What `answered` was at the last look, and how many looks have found nothing new. */
  private seen = 0;
  private vainLooks = 0;

  /** Without a detour, reads that would need one fail. */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly detour: Detour = () => null,
  ) {}

  /** Whether nothing is asked for. */
  get isIdle(): boolean {
    return this.underWay === 0;
  }

  /** Called now and then: how many times in a row it has found reads under way on an open connection, and none answered since the time before. */
  look(): number {
    const isVain = this.underWay > 0 && this.connection !== null && this.answered === this.seen;
    this.vainLooks = isVain ? this.vainLooks + 1 : 0;
    this.seen = this.answered;
    return this.vainLooks;
  }

  /** `finished` is told when the answer is there, whichever it is. */
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

  /** Lets what was asked since the turn began leave now. */
  flush(): void {
    this.corked?.uncork();
    this.corked = null;
  }

  private forget(connection: Connection): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.connecting = null;
    // Lost or not: nothing may be left open behind us.
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
      // What is as heavy as the read that has cost this connection must not cost the next one.
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

  private send(
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
    // `pipeline` is newer than the type definitions of pg.
    const client = new pg.Client({ ...this.options, pipeline: true });
    const wire = wireOf(client);
    readRowsAtOnce(wire);
    const { stream } = wire;
    const connection = { client, stream, shapes: new Map<string, unknown>(), isCut: false };
    const lost = (): void => this.forget(connection);
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.connection = connection;
    return connection;
  }
}

/** A job's context is none, which `run` takes as well. */
const inContextOf = <T>({ context }: Asked, work: () => T): T =>
  requestContext.run(context as RequestContext, work);

/**
 * Whether the connection is fine in spite of an error: the server answered the read, and not with its own end (SQLSTATE classes
 * 08 and 57P) nor with its knowing the statement otherwise, the read never left, because its values cannot be written, or its rows were too much.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof RowsTooMany) return true;
  if (isStaleStatement(error)) return false;
  const code = errorCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}
