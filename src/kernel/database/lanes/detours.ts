import type pg from 'pg';
import type { Statement } from '../lists/list-query.js';
import { isLockTimeout } from '../transient.js';
import { RowsTooMany } from './bounded-query.js';
import { HeavyReads } from './heavy-reads.js';
import { LockedReads } from './locked-reads.js';

/** The ways for reads that would hold up others: those that meet a locked table, and those that bring much. */
export class Detours {
  private readonly locked: LockedReads;
  private readonly heavy: HeavyReads;

  constructor(options: pg.PoolConfig) {
    this.locked = new LockedReads(options);
    this.heavy = new HeavyReads(options);
  }

  /** The rows of a read that has failed on the usual way, or is known to; null where that way is the right one, or the error another one. */
  take(read: Statement, error?: Error): Promise<object[]> | null {
    if (error ? isLockTimeout(error) : this.locked.has(read.text)) return this.whenUnlocked(read);
    if (!error) return this.heavy.take(read);
    return error instanceof RowsTooMany ? this.heavy.run(read) : null;
  }

  async close(): Promise<void> {
    await Promise.all([this.locked.close(), this.heavy.close()]);
  }

  private async whenUnlocked(read: Statement): Promise<object[]> {
    try {
      return await this.locked.run(read);
    } catch (error) {
      if (error instanceof RowsTooMany) return this.heavy.run(read);
      throw error;
    }
  }
}
