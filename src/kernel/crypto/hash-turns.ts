import { FairPool, type PoolLimits } from '#kernel/processes/fair-pool.js';
import { callerKey } from '#kernel/rate-limit/caller-key.js';

/**
 * Lets a few hashes run at a time, of callers in turn: one with many waits behind those with few. Before its next hash a slot rests
 * for `rest` times what the last one took.
 */
export class HashTurns {
  private readonly slots: FairPool;

  constructor(
    limits: Pick<PoolLimits, 'width' | 'waiting'>,
    private readonly rest: number,
  ) {
    this.slots = new FairPool({ ...limits, share: limits.width, waitMs: Infinity });
  }

  /** @throws PoolBusy if too many wait, or too many of the caller. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.slots.take({ holders: [callerKey()] });
    const begun = performance.now();
    try {
      return await work();
    } finally {
      if (this.slots.waiting > 0) setTimeout(release, this.rest * (performance.now() - begun));
      else release();
    }
  }
}
