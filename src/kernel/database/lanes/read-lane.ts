import pg from 'pg';
import { HttpError } from '#kernel/http/errors.js';
import { LaneQuery, type NamedRead } from './lane-query.js';
import { readRowsAtOnce } from './row-parser.js';
import { errorCode } from '../transactions.js';
import { isLockTimeout, isStaleStatement } from '../transient.js';

/** An open connection with what it has learnt of its statements. */
interface Connection {
  readonly client: pg.Client;
  /** Columns of the statements that were described on this connection, by name. */
  readonly shapes: Map<string, unknown>;
  readonly stream: { cork(): void; uncork(): void };
}

/** Asks for the rows in another way. */
type AskElsewhere = (read: NamedRead) => Promise<object[]>;

/** Takes the answer, or what went wrong. */
type Settle = (error: Error | null, rows: object[]) => void;

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

  /** `onLocked` takes the reads for which a table was locked; without it they fail. */
  constructor(
    private readonly options: pg.ClientConfig,
    private readonly onLocked?: AskElsewhere,
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
    return new Promise<Row[]>((resolve, reject) => {
      this.underWay += 1;
      const settle: Settle = (error, rows) => {
        this.underWay -= 1;
        this.answered += 1;
        finished?.();
        if (error === null) resolve(rows as Row[]);
        else if (this.onLocked && isLockTimeout(error))
          (this.onLocked(read) as Promise<Row[]>).then(resolve, reject);
        else reject(error);
      };
      if (this.connection) this.attempt(this.connection, read, settle);
      else this.connectThen((connection) => this.attempt(connection, read, settle), settle);
    });
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

  private attempt(connection: Connection, read: NamedRead, settle: Settle): void {
    this.send(connection, read, (error, rows) => {
      if (error === null || this.closed || isFinal(error)) {
        settle(error, rows);
        return;
      }
      this.forget(connection);
      this.connectThen((again) => this.send(again, read, settle), settle);
    });
  }

  private connectThen(use: (connection: Connection) => void, settle: Settle): void {
    this.connect().then(use, (error: unknown) => settle(error as Error, []));
  }

  private send({ client, shapes, stream }: Connection, read: NamedRead, settle: Settle): void {
    if (this.corked !== stream) {
      this.flush();
      this.corked = stream;
      stream.cork();
      setImmediate(() => this.flush());
    }
    try {
      LaneQuery.run(client, shapes, read, settle);
    } catch (error) {
      settle(error as Error, []);
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
    // `pipeline` and the stream are newer or more than the type definitions of pg know.
    const client = new pg.Client({ ...this.options, pipeline: true });
    const { connection: wire } = client as unknown as {
      connection: Pick<Connection, 'stream'> & Parameters<typeof readRowsAtOnce>[0];
    };
    readRowsAtOnce(wire);
    const { stream } = wire;
    const connection = { client, stream, shapes: new Map<string, unknown>() };
    const lost = (): void => this.forget(connection);
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.connection = connection;
    return connection;
  }
}

/**
 * Whether the connection is fine in spite of an error: the server answered the read, and not with its own end (SQLSTATE classes
 * 08 and 57P) nor with its knowing the statement otherwise, the read never left, because its values cannot be written, or its rows were too much.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof HttpError) return true;
  if (isStaleStatement(error)) return false;
  const code = errorCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}
