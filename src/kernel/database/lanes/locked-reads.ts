import pg from 'pg';
import { readInPool } from './bounded-query.js';
import type { Statement } from '../lists/list-query.js';
import { errorCode } from '../transactions.js';
import { isLockTimeout } from '../transient.js';

const CONNECTIONS = 2;
/** How long a read waits for one of these connections, and then for a lock. */
const QUEUE_MS = 2_000;
const LOCK_MS = 2_000;
/** Reads that wait; more are refused at once. */
const MAX_WAITING = 100;
/** Texts that are kept apart; a table has some hundreds of them, but filters combine. */
const MAX_TEXTS = 2_000;
/** A read that is answered within this time has met no lock. */
const FREE_MS = 200;

/**
 * Where reads wait for tables that somebody has locked, a migration say: on connections of their own, so that nobody else waits with them.
 * A text that has met a lock comes here at once the next times, until it is answered quickly again.
 */
export class LockedReads {
  private readonly texts = new Set<string>();
  private readonly pool: pg.Pool;

  constructor(options: pg.PoolConfig) {
    this.pool = new pg.Pool({
      ...options,
      max: CONNECTIONS,
      lock_timeout: LOCK_MS,
      connectionTimeoutMillis: QUEUE_MS,
      idleTimeoutMillis: 5_000,
    });
    this.pool.on('error', () => undefined);
  }

  /** Whether a text has met a lock, the last time it was run. */
  has(text: string): boolean {
    return this.texts.size > 0 && this.texts.has(text);
  }

  /** Runs a read that has met a lock. @throws Error with the SQLSTATE lock_not_available when the lock stays, or too many wait for one */
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

/** The statement was given up, the connection is fine. */
const isHarmless = (error: unknown): boolean => isLockTimeout(error) || errorCode(error) === '57014';

function stillLocked(): Error {
  return Object.assign(new Error('Too many reads wait for a locked table'), { code: '55P03' });
}
