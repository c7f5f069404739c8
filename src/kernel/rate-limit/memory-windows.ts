/** State of one window after a hit. */
export interface Window {
  /** Hits so far, this one included. */
  readonly count: number;
  readonly remainingMs: number;
}

/** Counts hits in fixed windows that start with their first hit. */
export interface WindowStore {
  /** Adds as many hits as `weight` says; one unless given. */
  hit(key: string, periodMs: number, weight?: number): Promise<Window>;
  /** The window as it is, without a hit; null when none is open. */
  look(key: string): Promise<Window | null>;
}

interface Entry {
  count: number;
  endsAt: number;
}

/** Windows of this process alone; the least recent make room when there are too many. */
export class MemoryWindows implements WindowStore {
  private readonly entries = new Map<string, Entry>();
  private nextPrune = 0;

  constructor(
    private readonly maxEntries = 100_000,
    /** Monotonic, so that a corrected clock neither opens nor locks anything. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Windows that are kept. */
  get size(): number {
    return this.entries.size;
  }

  hit(key: string, periodMs: number, weight = 1): Promise<Window> {
    const now = this.now();
    const entry = this.entries.get(key);
    if (entry && entry.endsAt > now) {
      entry.count += weight;
      return Promise.resolve({ count: entry.count, remainingMs: entry.endsAt - now });
    }
    this.entries.delete(key);
    this.makeRoom(now);
    this.entries.set(key, { count: weight, endsAt: now + periodMs });
    return Promise.resolve({ count: weight, remainingMs: periodMs });
  }

  look(key: string): Promise<Window | null> {
    const entry = this.entries.get(key);
    const remainingMs = (entry?.endsAt ?? 0) - this.now();
    return Promise.resolve(entry && remainingMs > 0 ? { count: entry.count, remainingMs } : null);
  }

  private makeRoom(now: number): void {
    if (now >= this.nextPrune || this.entries.size >= this.maxEntries) {
      if (now >= this.nextPrune) this.prune(now);
      for (const oldest of this.entries.keys()) {
        if (this.entries.size < this.maxEntries) break;
        this.entries.delete(oldest);
      }
    }
  }

  /** At most once in a while: a pass over everything is not for each hit. */
  private prune(now: number): void {
    this.nextPrune = now + 10_000;
    for (const [key, entry] of this.entries) if (entry.endsAt <= now) this.entries.delete(key);
  }
}
