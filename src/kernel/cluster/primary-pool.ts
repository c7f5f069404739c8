import { FairPool, isNeeded, type Claim, type Slots, type PoolLimits } from '#kernel/processes/fair-pool.js';
import { primaryLink, type PrimaryLink } from './primary-link.js';

/** A pool whose slots the primary manages for all processes of this machine. */
class PrimaryPool implements Slots {
  running = 0;
  waiting = 0;
  private readonly limits: PoolLimits;

  constructor(
    private readonly link: PrimaryLink,
    private readonly name: string,
    { width, share, waiting, waitMs }: PoolLimits,
  ) {
    this.limits = { width, share, waiting, waitMs };
  }

  isWaitedFor(claim: Claim): boolean {
    return isNeeded(this.link.neededOf(this.name), claim);
  }

  async take(claim: Claim, signal?: AbortSignal): Promise<() => void> {
    this.waiting += 1;
    const slot = await this.link
      .ask('take', [this.name, this.limits, claim], signal, (late) => this.link.release(late))
      .finally(() => (this.waiting -= 1));
    this.running += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.running -= 1;
      this.link.release(slot);
    };
  }
}

/**
 * Returns the pool of that name: shared by all processes of this machine, or local to this process if it
 * serves alone.
 */
export const slotsOf = (name: string, limits: PoolLimits): Slots =>
  primaryLink ? new PrimaryPool(primaryLink, name, limits) : new FairPool(limits);
