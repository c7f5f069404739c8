import { unavailable } from '../errors.js';

/** Bytes of a body that are never refused for what others hold. */
export const FREE_BYTES = 64 * 1024;

/** What one body holds of a budget. */
export interface BodyShare {
  /** To be told of each piece. @throws 503 when too much is held already */
  readonly watch: (bytes: number) => void;
  /** Gives everything back; more than once does no harm. */
  readonly end: () => void;
}

/**
 * Bounds what bodies hold together until they have been dealt with, however slowly they come: beyond that large ones are refused, so that small
 * ones still find room. One holder, where they are told apart, takes half of it at most.
 */
export class BodyBudget {
  private held = 0;
  private readonly heldBy = new Map<string, number>();

  constructor(private readonly maxBytes: number) {}

  /** Lets `work` read a body, which tells `watch` of each piece. @throws 503 from `watch` when too much is held already */
  async use<T>(work: (watch: BodyShare['watch']) => Promise<T>): Promise<T> {
    const share = this.open();
    try {
      return await work(share.watch);
    } finally {
      share.end();
    }
  }

  /** Begins to count a body, of an address, say; whoever asks for it ends it. */
  open(holder?: string): BodyShare {
    let size = 0;
    let isOver = false;
    return {
      watch: (bytes) => {
        // It is still coming in, but nobody waits for it any more, and nobody would give back what it takes.
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

  private add(bytes: number, holder: string | undefined): void {
    this.held += bytes;
    if (holder === undefined || bytes === 0) return;
    const held = (this.heldBy.get(holder) ?? 0) + bytes;
    if (held > 0) this.heldBy.set(holder, held);
    else this.heldBy.delete(holder);
  }

  private isPassed(holder: string | undefined): boolean {
    const own = holder === undefined ? 0 : (this.heldBy.get(holder) ?? 0);
    return this.held > this.maxBytes || own > this.maxBytes / 2;
  }
}

const beyond = (size: number): number => Math.max(0, size - FREE_BYTES);
