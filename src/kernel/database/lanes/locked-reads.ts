import type pg from 'pg';
import { readInPool } from './bounded-query.js';
import type { Statement } from '../lists/list-query.js';
import { watchedPool } from '../sessions/watched-client.js';
import { errorCode } from '../statements/database-errors.js';
import { isLockTimeout } from '../transient.js';

const CONNECTIONS = 2;
/** Time limit of a read for one of these connections; then comes that for a lock. */
const QUEUE_MS = 2_000;
/** Limit of waiting reads; more are refused at once. */
const MAX_WAITING = 100;
/** Limit of remembered statements; a table has some hundreds, but combinations of filters add more. */
const MAX_TEXTS = 2_000;
/** A read that is answered within this time counts as not blocked. */
const FREE_MS = 200;

/**
 * Runs reads of locked tables (during a migration, for example) on separate connections, so that other reads do not wait behind them.
 * A blocked statement runs here directly from then on, until it is answered quickly again.
 */
export class LockedReads {
  private readonly texts = new Set<string>();
  private readonly pool: pg.Pool;

  constructor(options: pg.PoolConfig) {
    this.pool = watchedPool({
      ...options,
      max: CONNECTIONS,
      connectionTimeoutMillis: QUEUE_MS,
      idleTimeoutMillis: 5_000,
    });
    this.pool.on('error', () => undefined);
  }

  /** Whether a statement was blocked by a lock the last time it ran. */
  has(text: string): boolean {
    return this.texts.size > 0 && this.texts.has(text);
  }

  /** Runs a read that was blocked. @throws Error with SQLSTATE lock_not_available if it is still blocked or too many reads wait */
  async run(read: Statement): Promise<object[]> {
    if (this.pool.waitingCount >= MAX_WAITING) throw stillLocked();
    if (this.texts.size < MAX_TEXTS) this.texts.add(read.text);
    const begun = performance.now();
    const rows = await readInPool(this.pool, { text: read.text, values: [...read.values] }, { isHarmless });
    if (performance.now() - begun < FREE_MS) this.texts.delete(read.text);
    return rows;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** Whether only the statement was canceled and the connection still works. */
const isHarmless = (error: unknown): boolean => isLockTimeout(error) || errorCode(error) === '57014';

function stillLocked(): Error {
  return Object.assign(new Error('Too many reads wait for a locked table'), { code: '55P03' });
}
