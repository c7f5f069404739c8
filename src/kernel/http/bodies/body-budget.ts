import { clientKey } from '#kernel/rate-limit/client-key.js';
import { unavailable } from '../errors.js';

/** Bytes of each body that do not count against the budget. */
export const FREE_BYTES = 64 * 1024;

/** Share of a budget that one body uses. */
export interface BodyShare {
  /** Counts a chunk of the body. @throws 503 if the budget is exhausted */
  readonly watch: (bytes: number) => void;
  /** Returns the whole share; may be called more than once. */
  readonly end: () => void;
}

/**
 * Limits the memory of all bodies that are being received or processed. If the budget is exhausted, large bodies are refused and
 * small ones are still accepted. One client may use up to half of the budget.
 */
export class BodyBudget {
  private held = 0;
  private readonly heldBy = new Map<string, number>();

  constructor(private readonly maxBytes: number) {}

  /**
   * Runs `work`, which reads the body of the current request and calls `watch` for each chunk. @throws 503 from `watch` if the
   * budget is exhausted
   */
  async use<T>(work: (watch: BodyShare['watch']) => Promise<T>): Promise<T> {
    const share = this.open();
    try {
      return await work(share.watch);
    } finally {
      share.end();
    }
  }

  /** Opens the share of the body of the current request, or of another `holder`. The caller must end it. */
  open(holder = clientKey()): BodyShare {
    let size = 0;
    let isOver = false;
    return {
      watch: (bytes) => {
        // The body is still arriving after its share ended: nothing would return what it takes from here on.
        if (isOver) throw unavailable(5);
        const before = beyond(size);
        size += bytes;
        this.add(beyond(size) - before, holder);
        if (size > FREE_BYTES && this.isPassed(holder)) throw unavailable(5);
      },
      end: () => {
        this.add(-beyond(size), holder);
        size = 0;
        isOver = true;
      },
    };
  }

  private add(bytes: number, holder: string): void {
    this.held += bytes;
    if (bytes === 0) return;
    const held = (this.heldBy.get(holder) ?? 0) + bytes;
    if (held > 0) this.heldBy.set(holder, held);
    else this.heldBy.delete(holder);
  }

  private isPassed(holder: string): boolean {
    return this.held > this.maxBytes || (this.heldBy.get(holder) ?? 0) > this.maxBytes / 2;
  }
}

const beyond = (size: number): number => Math.max(0, size - FREE_BYTES);
