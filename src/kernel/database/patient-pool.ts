import pg from 'pg';
import { poolReach, type PgPoolInside } from '#kernel/libraries/pg-inside.js';
import { notePool } from './own-pool.js';
import { CountedClient } from './statements/counted-client.js';

/** A statement that takes longer than this is waiting for something, usually a lock. */
const HELD_UP_MS = 250;

/**
 * A pool that is not used up by waiting for locks: connections with a slow statement do not count, up to half
 * as many as the pool has. Those who still get no connection give up in the end.
 */
export class PatientPool extends pg.Pool {
  private watch: NodeJS.Timeout | undefined;

  /** Called by pg if a connection is requested and none is idle. */
  protected _isFull(): boolean {
    const { _clients: clients } = this as unknown as PgPoolInside;
    const size = this.options.max;
    if (clients.length < size) return false;
    if (!poolReach.available) return true;
    this.watch ??= setTimeout(() => this.look(), HELD_UP_MS / 2).unref();
    const limit = size + Math.ceil(size / 2);
    if (clients.length >= limit) return true;
    return clients.length - heldUp(clients) >= size;
  }

  /**
   * Waiting requests are served only when a connection is returned; in the meantime a slow one may have stopped
   * counting.
   */
  private look(): void {
    this.watch = undefined;
    if (this.waitingCount > 0) (this as unknown as PgPoolInside)._pulseQueue();
  }
}

function heldUp(clients: readonly pg.Client[]): number {
  return clients.filter((client) => client instanceof CountedClient && client.busyFor > HELD_UP_MS).length;
}

/** A pool class for the options of a data source, whose pool `poolOf` then returns. */
export function notedPool(): typeof PatientPool {
  class NotedPool extends PatientPool {
    constructor(options?: pg.PoolConfig) {
      super(options);
      notePool(NotedPool, this);
    }
  }
  return NotedPool;
}
