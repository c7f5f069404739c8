/** Limits of the size of a cached object and of all of them together. */
const MAX_BYTES = 64 * 1024;
const MAX_BYTES_IN_ALL = 4 * 1024 * 1024;

/** Older entries are read again, because removals by other processes are not announced. */
const KEPT_MS = 60_000;

interface Kept {
  readonly sha256: string;
  readonly content: Buffer;
  readonly until: number;
}

/**
 * Cache of small objects that were read recently: opening, reading and closing a file of 10 KB takes three
 * round trips to another thread, more than everything else that such a download needs. An entry is returned
 * only for the expected digest, never with the former content of a key.
 */
export class SmallObjects {
  /** By key, in the order in which they were read. */
  private readonly kept = new Map<string, Kept>();
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Whether an object of that size is cached. */
  static isSmall(size: number): boolean {
    return size > 0 && size <= MAX_BYTES;
  }

  /** Returns the cached content of the key if it has that digest; must not be modified. */
  find(key: string, sha256: string): Buffer | undefined {
    const found = this.kept.get(key);
    return found?.sha256 === sha256 && found.until > performance.now() ? found.content : undefined;
  }

  /** Caches a whole content for a minute, replacing the oldest entries. */
  keep(key: string, sha256: string, content: Buffer): void {
    this.forget(key);
    this.kept.set(key, { sha256, content, until: performance.now() + KEPT_MS });
    this.size += content.length;
    for (const oldest of this.kept.keys()) {
      if (this.size <= MAX_BYTES_IN_ALL) break;
      this.forget(oldest);
    }
    this.watch();
  }

  /** Removes the entry of an object that was deleted or replaced. */
  forget(key: string): void {
    const found = this.kept.get(key);
    if (!found) return;
    this.kept.delete(key);
    this.size -= found.content.length;
  }

  /** Removes all entries. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.kept.clear();
    this.size = 0;
  }

  /** Removes expired entries even if nothing is read. */
  private watch(): void {
    const [oldest] = this.kept.values();
    if (this.timer || !oldest) return;
    this.timer = setTimeout(() => this.expire(), oldest.until - performance.now() + 1).unref();
  }

  private expire(): void {
    this.timer = undefined;
    for (const [key, { until }] of this.kept) {
      if (until > performance.now()) break;
      this.forget(key);
    }
    this.watch();
  }
}
