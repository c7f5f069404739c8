import { TEXTS } from '../access/git-texts.js';
import { Unavailable } from '../git-answer.js';
import type { GitLimits } from './git-limits.js';

interface Waiter {
  readonly key: string;
  readonly go: () => void;
}

/** Lets a bounded number of git processes run at a time, in all and by repository; others wait for a bounded time, first come first served. */
export class PackSlots {
  private running = 0;
  private readonly byKey = new Map<string, number>();
  private readonly waiting = new Set<Waiter>();

  constructor(
    private readonly limits: Pick<GitLimits, 'packs' | 'packsPerRepository' | 'waiting' | 'waitMs'>,
  ) {}

  /** Takes a slot; call what it returns once, to give it back. @throws 503 when too many wait, or it takes too long */
  async take(key: string): Promise<() => void> {
    if (this.isFree(key)) this.begin(key);
    else await this.wait(key);
    return () => this.end(key);
  }

  private wait(key: string): Promise<void> {
    if (this.waiting.size >= this.limits.waiting) throw Unavailable(TEXTS.busy, 10);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.delete(waiter);
        reject(Unavailable(TEXTS.busy, 30));
      };
      const timer = setTimeout(giveUp, this.limits.waitMs);
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiter: Waiter = { key, go };
      this.waiting.add(waiter);
    });
  }

  private isFree(key: string): boolean {
    return this.running < this.limits.packs && (this.byKey.get(key) ?? 0) < this.limits.packsPerRepository;
  }

  private begin(key: string): void {
    this.running += 1;
    this.byKey.set(key, (this.byKey.get(key) ?? 0) + 1);
  }

  private end(key: string): void {
    this.running -= 1;
    const left = (this.byKey.get(key) ?? 1) - 1;
    if (left > 0) this.byKey.set(key, left);
    else this.byKey.delete(key);
    for (const waiter of this.waiting) {
      if (!this.isFree(waiter.key)) continue;
      this.waiting.delete(waiter);
      this.begin(waiter.key);
      waiter.go();
      return;
    }
  }
}
