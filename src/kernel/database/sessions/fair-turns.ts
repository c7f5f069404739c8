import { registerPool, type PoolFigures } from '#kernel/log/gauges.js';
import { requestContext } from '#kernel/log/request-context.js';
import { FairPool, type PoolLimits } from '#kernel/processes/fair-pool.js';
import { callerKey } from '#kernel/rate-limit/caller-key.js';

const done = (): void => undefined;

/**
 * Decides whose request takes the next connection of a pool: a caller with many requests waits behind one with few. Jobs, of which
 * a limited number run, do not ask.
 */
export class FairTurns {
  private readonly slots: FairPool;

  /** Limits as for `FairPool`; `share` is the number of connections of one caller. */
  constructor(limits: Pick<PoolLimits, 'width' | 'share' | 'waitMs'>) {
    this.slots = new FairPool({ ...limits, waiting: 1_000 });
  }

  /** Exports the pool whose connections these turns are for: a transaction that waits for a turn waits for a connection. */
  register(name: string, pool: () => PoolFigures): void {
    registerPool(name, () => {
      const { totalCount, idleCount, waitingCount } = pool();
      return { totalCount, idleCount, waitingCount: waitingCount + this.slots.waiting };
    });
  }

  /**
   * Takes a turn; call the returned function at its end. @throws PoolBusy if the caller waits for too long, or has too many
   * requests waiting
   */
  async take(): Promise<() => void> {
    if (requestContext.getStore()?.response === undefined) return done;
    return this.slots.take({ holders: [callerKey()] });
  }
}
