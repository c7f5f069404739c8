import { HttpError } from '#kernel/http/errors.js';

/** Too many are waiting already, or it takes too long: 503 with Retry-After. */
export class PoolBusy extends HttpError {
  constructor(
    readonly reason: 'full' | 'late',
    readonly retryAfterSeconds: number,
  ) {
    super(503, { message: '503 Service Unavailable' }, { 'Retry-After': String(retryAfterSeconds) });
  }
}

/** Limits of a pool. */
export interface PoolLimits {
  /** Total number of slots. */
  readonly width: number;
  /** Limit per holder, or per group of holders. */
  readonly share: number;
  /** Limit of waiting claims; one holder, or one group, may take half of that. */
  readonly waiting: number;
  /** Limit of the waiting time. */
  readonly waitMs: number;
}

/** The holders that a slot is for. */
export interface Claim {
  /**
   * Those to be treated equally, such as a project and a user: each has at most its share, and the holder of
   * the fewest slots comes first.
   */
  readonly holders: readonly string[];
  /** Many holders that share one limit. */
  readonly group?: string | undefined;
}

/**
 * The slots that waiting claims need, by keys of which a slot must have all: those with their full share, or
 * none where any slot would do.
 */
export type NeededSlots = readonly (readonly string[])[];

/** Returns whether a waiting claim could be served if the slot of `claim` were free. */
export const isNeeded = (needed: NeededSlots, claim: Claim): boolean => {
  const own = keysOf(claim);
  return needed.some((keys) => keys.every((key) => own.includes(key)));
};

/** A pool from the point of view of its users. */
export interface Slots {
  /** Slots taken by this process. */
  readonly running: number;
  /** Waiting claims of this process. */
  readonly waiting: number;
  /** Whether a waiting claim, maybe of another process, could be served if the slot of this claim were free. */
  isWaitedFor(claim: Claim): boolean;
  /**
   * Takes a slot; call the returned function to release it. @throws PoolBusy if too many are waiting, or it
   * takes too long; the reason of `signal` if aborted while waiting
   */
  take(claim: Claim, signal?: AbortSignal): Promise<() => void>;
}

interface Waiter {
  readonly claim: Claim;
  readonly go: () => void;
}

/**
 * A bounded number of slots. A free slot goes to the claim whose holders have the fewest; among those, to the
 * one whose holders were served longest ago, and then to the oldest.
 */
export class FairPool implements Slots {
  private readonly held = new Tally();
  private readonly queued = new Tally();
  /** The turn at which each holder was last served, or arrived. */
  private readonly turns = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private taken = 0;
  private turn = 0;

  constructor(private readonly limits: PoolLimits) {}

  get running(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.waiters.size;
  }

  /** What the waiting claims need. */
  get needed(): NeededSlots {
    const needed = new Map<string, readonly string[]>();
    for (const { claim } of this.waiters) {
      const full = keysOf(claim).filter((key) => this.held.of(key) >= this.limits.share);
      needed.set(full.join('\n'), full);
    }
    return [...needed.values()];
  }

  isWaitedFor(claim: Claim): boolean {
    return isNeeded(this.needed, claim);
  }

  async take(claim: Claim, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.isFree(claim)) this.begin(claim);
    else await this.wait(claim, signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.end(claim);
      isHeld = false;
    };
  }

  private wait(claim: Claim, signal: AbortSignal | undefined): Promise<void> {
    const { waiting, waitMs } = this.limits;
    const isFull =
      this.waiters.size >= waiting || keysOf(claim).some((key) => this.queued.of(key) >= waiting / 2);
    if (isFull) throw new PoolBusy('full', 10);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.waiters.delete(waiter);
        this.queued.add(claim, -1);
      };
      const waiter: Waiter = {
        claim,
        go: () => {
          leave();
          this.begin(claim);
          resolve();
        },
      };
      const giveUp = (error: Error): void => {
        leave();
        this.forget(claim);
        reject(error);
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const timer = Number.isFinite(waitMs)
        ? setTimeout(() => giveUp(new PoolBusy('late', 30)), waitMs)
        : undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiters.add(waiter);
      this.queued.add(claim, 1);
      for (const holder of claim.holders)
        if (!this.turns.has(holder)) this.turns.set(holder, (this.turn += 1));
    });
  }

  private isFree(claim: Claim): boolean {
    const { width, share } = this.limits;
    return this.taken < width && keysOf(claim).every((key) => this.held.of(key) < share);
  }

  private begin(claim: Claim): void {
    this.taken += 1;
    this.held.add(claim, 1);
    this.turn += 1;
    for (const holder of claim.holders) this.turns.set(holder, this.turn);
  }

  private end(claim: Claim): void {
    this.taken -= 1;
    this.held.add(claim, -1);
    this.forget(claim);
    // Releasing one slot may unblock two claims: one of the project, one of the caller.
    for (let next = this.next(); next; next = this.next()) next.go();
  }

  private next(): Waiter | null {
    if (this.taken >= this.limits.width) return null;
    let best: Waiter | null = null;
    let [fewest, oldest] = [Infinity, Infinity];
    for (const waiter of this.waiters) {
      if (!this.isFree(waiter.claim)) continue;
      const { holders } = waiter.claim;
      const load = holders.reduce((sum, holder) => sum + this.held.of(holder), 0);
      const served = Math.max(0, ...holders.map((holder) => this.turns.get(holder) ?? 0));
      if (load > fewest || (load === fewest && served >= oldest)) continue;
      [best, fewest, oldest] = [waiter, load, served];
    }
    return best;
  }

  /** Forgets holders with no slots and no waiting claims. */
  private forget({ holders }: Claim): void {
    for (const holder of holders)
      if (this.held.of(holder) === 0 && this.queued.of(holder) === 0) this.turns.delete(holder);
  }
}

const keysOf = ({ holders, group }: Claim): readonly string[] =>
  group === undefined ? holders : [...holders, group];

/** Counts by holder and group. */
class Tally {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(claim: Claim, step: number): void {
    for (const key of keysOf(claim)) {
      const count = this.of(key) + step;
      if (count > 0) this.counts.set(key, count);
      else this.counts.delete(key);
    }
  }
}
