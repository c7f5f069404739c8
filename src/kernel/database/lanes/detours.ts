import type pg from 'pg';
import type { Statement } from '../lists/list-query.js';
import { isLockTimeout } from '../transient.js';
import { RowsTooMany } from './bounded-query.js';
import { HeavyReads } from './heavy-reads.js';
import { LockedReads } from './locked-reads.js';

/** Separate connections for reads that would delay others: reads of locked tables and reads of many bytes. */
export class Detours {
  private readonly locked: LockedReads;
  private readonly heavy: HeavyReads;

  /** `patient` has more time for locks. */
  constructor(options: pg.PoolConfig, patient: pg.PoolConfig) {
    this.locked = new LockedReads(patient);
    this.heavy = new HeavyReads(options);
  }

  /** Runs a read that failed on the usual connection, or is known to fail there. Null if the read or its error needs no detour. */
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
