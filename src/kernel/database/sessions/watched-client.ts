import pg from 'pg';
import { insideOf, silenceReach, wireOf, type PgWire } from '#kernel/libraries/pg-inside.js';
import { LOOK_MS, unwatch, watch, type Watched } from './silence-watch.js';

/** The system asks an idle peer after this time, then every second, and gives it up after ten questions. */
const KEEP_ALIVE_MS = 10_000;
/** Time for the answer to be on its way after the server has ended a statement that took too long. */
const GRACE_MS = 5_000;
/** Limits of what needs few messages: to connect, and to close. */
const CONNECT_MS = 30_000;
const CLOSE_MS = 5_000;

type Connected = ((error: Error) => void) | ((error: null, client: pg.ClientBase) => void);

/** Options of a client. */
export interface WatchedConfig extends pg.ClientConfig {
  /** Milliseconds within which the server ends any statement, if it was not told so by `statement_timeout` of the connection. */
  readonly statementMs?: number;
  /** Whether to connect to a primary only. */
  readonly mustBePrimary?: boolean;
}

/**
 * A client for all connections of the product. A server that falls silent, without closing its connections, would keep them waiting for many
 * minutes; this client ends the connection once a statement is unanswered for seconds longer than the server would have let it run. A statement
 * without a limit may take any time; for those, TCP finds out whether the server is still there. So code that raises `statement_timeout` in a
 * session must open the connection without one.
 */
export class WatchedClient extends pg.Client implements Watched {
  /** Limit of a statement; Infinity if the server has none. */
  private readonly statementMs: number;
  private seenBytes = 0;
  /** Number of looks in a row that found the client waiting and nothing received since the one before. */
  private vainLooks = 0;

  constructor(config?: string | WatchedConfig) {
    super(config);
    const { statementMs, mustBePrimary } = typeof config === 'object' ? config : {};
    this.statementMs = (statementMs ?? timeoutOf(this)) + GRACE_MS;
    wireOf(this).stream.setKeepAlive(true, KEEP_ALIVE_MS);
    if (mustBePrimary === true) refuseStandby(wireOf(this));
    // A connection may be lost between two statements of a transaction. Its next statement fails; without a listener the process would end.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (silenceReach.available) {
      watch(this);
      wireOf(this).once('end', () => unwatch(this));
    }
    if (!callback) return super.connect();
    super.connect(callback);
    return undefined;
  }

  look(): boolean {
    const { stream } = wireOf(this);
    const limitMs = this.limitMs();
    const isVain = limitMs < Infinity && stream.bytesRead === this.seenBytes;
    this.seenBytes = stream.bytesRead;
    this.vainLooks = isVain ? this.vainLooks + 1 : 0;
    // The first of them may have come right after the statement.
    const silentMs = (this.vainLooks - 1) * LOOK_MS;
    if (silentMs < limitMs) return false;
    stream.destroy(insideOf(this)._ending ? undefined : silent(silentMs));
    return true;
  }

  /** Limit of what the client waits for; Infinity if it waits for nothing. */
  private limitMs(): number {
    const { _connected, _ending, _activeQuery, _queryQueue, _sentQueryQueue } = insideOf(this);
    if (!_connected) return CONNECT_MS;
    if (_activeQuery || _queryQueue.length > 0 || _sentQueryQueue.length > 0) return this.statementMs;
    return _ending ? CLOSE_MS : Infinity;
  }
}

/** What the server was told with the connection; Infinity if nothing. */
const timeoutOf = (client: pg.Client): number =>
  Number(insideOf(client).connectionParameters.statement_timeout) || Infinity;

/**
 * After a failover the address may lead to the former primary for a while, which is a standby now: its connections would stay, serve
 * what is out of date and refuse all writes, long after the address leads to the new primary. Each server tells with the connection.
 */
function refuseStandby(wire: PgWire): void {
  wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'in_hot_standby' && parameterValue === 'on') wire.stream.destroy(standby());
  });
}

const standby = (): Error =>
  Object.assign(new Error('The address of the database leads to a standby, which cannot be written to'), {
    code: '25006',
  });

const silent = (forMs: number): Error =>
  Object.assign(new Error(`PostgreSQL has not answered for ${Math.round(forMs / 1_000)} seconds`), {
    code: 'ETIMEDOUT',
  });

/** A pool of such clients. */
export const watchedPool = (options: pg.PoolConfig): pg.Pool =>
  new pg.Pool({ Client: WatchedClient, ...options });
