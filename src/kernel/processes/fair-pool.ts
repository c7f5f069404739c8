import { HttpError } from '#kernel/http/errors.js';

/** Too much waits already, or it takes too long: answered with 503 and Retry-After. */
export class PoolBusy extends HttpError {
  constructor(
    readonly reason: 'full' | 'late',
    retryAfterSeconds: number,
  ) {
    super(503, { message: '503 Service Unavailable' }, { 'Retry-After': String(retryAfterSeconds) });
  }
}

/** Bounds of a pool. */
export interface PoolLimits {
  /** Places in all. */
  readonly width: number;
  /** Of them for one holder, or one group of holders. */
  readonly share: number;
  /** Who may wait at a time; one holder, or one group, takes half of that. */
  readonly waiting: number;
  /** How long. */
  readonly waitMs: number;
}

/** For whom a place is. */
export interface Claim {
  /** Those who are to be treated alike, such as a project and a user: each has no more than its share, and whoever holds least comes first. */
  readonly holders: readonly string[];
  /** Many holders that have one share together. */
  readonly group?: string | undefined;
}

interface Waiter {
  readonly claim: Claim;
  readonly go: () => void;
}

/**
 * A bounded number of places. When one becomes free it goes to the claim whose holders have the fewest; among those, to the one whose holders
 * have been served longest ago, and then to the oldest.
 */
export class FairPool {
  private readonly held = new Tally();
  private readonly queued = new Tally();
  /** The turn at which each holder was last served, or came. */
  private readonly turns = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private taken = 0;
  private turn = 0;

  constructor(private readonly limits: PoolLimits) {}

  /** Places that are taken. */
  get running(): number {
    return this.taken;
  }

  /** Claims that wait. */
  get waiting(): number {
    return this.waiters.size;
  }

  /**
   * Takes a place; call what it returns to give it back. @throws PoolBusy when too many wait, or it takes too long; the reason of `signal` when
   * that is aborted while it waits
   */
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
    // One place may free two: of a project, and of a caller.
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

  /** Whoever has and wants nothing any more need not be remembered. */
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
