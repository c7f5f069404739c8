import { unavailable, type HttpError } from '#kernel/http/errors.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';

/** Value of Retry-After, in seconds. */
const RETRY_AFTER = 5;

/** Limits of running and waiting tasks. */
export interface TurnLimits {
  /** Running: in total, and per owner. */
  readonly width: number;
  readonly own: number;
  /** Waiting: in total, and per owner. */
  readonly waiting: number;
  readonly ownWaiting: number;
  /** Limit of the waiting time, in milliseconds. */
  readonly patienceMs: number;
}

/** A request for a turn. */
export interface TurnRequest {
  /** Whose work it is: a person, or an address. */
  readonly owner: string;
  /** Whether it waits as long as it takes, as jobs do, whose number is limited elsewhere. */
  readonly isPatient: boolean;
  /** Ends the waiting, with its reason. */
  readonly gone?: AbortSignal | undefined;
}

interface Owner {
  working: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets a bounded number run at a time, a bounded number per owner, and a bounded number wait. Owners take
 * turns, so an owner with much to do delays only itself.
 */
export class Turns {
  private working = 0;
  private waiting = 0;
  /** In the order in which they are considered: the one served last comes last. */
  private readonly owners = new Map<string, Owner>();

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Returns the function that ends the turn. @throws 429 if too many of the owner are waiting, 503 if too
   * many are waiting in total or it takes too long
   */
  async take(request: TurnRequest): Promise<() => void> {
    const owner = this.owners.get(request.owner) ?? { working: 0, waiting: [] };
    this.owners.set(request.owner, owner);
    if (this.working < this.limits.width && owner.working < this.limits.own) this.begin(request.owner, owner);
    else await this.wait(owner, request).catch((error: unknown) => this.refuse(request.owner, owner, error));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.working -= 1;
      owner.working -= 1;
      this.next();
      this.forget(request.owner, owner);
    };
  }

  private begin(name: string, owner: Owner): void {
    this.working += 1;
    owner.working += 1;
    this.owners.delete(name);
    this.owners.set(name, owner);
  }

  private async wait(owner: Owner, { isPatient, gone }: TurnRequest): Promise<void> {
    if (!isPatient && owner.waiting.length >= this.limits.ownWaiting) throw tooMany(this.limits);
    if (!isPatient && this.waiting >= this.limits.waiting) throw unavailable(RETRY_AFTER);
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', leave);
        this.waiting -= 1;
      };
      const go = (): void => {
        settle();
        resolve();
      };
      const giveUp = (error: Error): void => {
        settle();
        owner.waiting.splice(owner.waiting.indexOf(go), 1);
        reject(error);
      };
      const leave = (): void => giveUp(gone?.reason as Error);
      const timer = isPatient
        ? undefined
        : setTimeout(() => giveUp(unavailable(RETRY_AFTER)), this.limits.patienceMs);
      gone?.addEventListener('abort', leave, { once: true });
      this.waiting += 1;
      owner.waiting.push(go);
    });
  }

  private next(): void {
    for (const [name, owner] of this.owners) {
      if (this.working >= this.limits.width) return;
      const go = owner.working < this.limits.own ? owner.waiting.shift() : undefined;
      if (!go) continue;
      this.begin(name, owner);
      go();
      return;
    }
  }

  private refuse(name: string, owner: Owner, error: unknown): never {
    this.forget(name, owner);
    throw error;
  }

  private forget(name: string, owner: Owner): void {
    if (owner.working === 0 && owner.waiting.length === 0) this.owners.delete(name);
  }
}

/**
 * The same error as for a rate limit, although concurrency is limited: there may be room again after the
 * usual pause.
 */
function tooMany({ own, ownWaiting }: TurnLimits): HttpError {
  const limit = own + ownWaiting;
  const resetAt = Math.ceil(Date.now() / 1000) + RETRY_AFTER;
  const result = {
    allowed: false,
    limit,
    observed: limit + 1,
    remaining: 0,
    resetAt,
    retryAfter: RETRY_AFTER,
  };
  return tooManyRequests('throttle_task_threads', result, 60);
}
