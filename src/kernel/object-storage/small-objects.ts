/** Bytes of an object that is kept, and of all of them together. */
const MAX_BYTES = 64 * 1024;
const MAX_BYTES_IN_ALL = 4 * 1024 * 1024;

/** What is kept longer is read anew: nobody else tells us what another process has removed. */
const KEPT_MS = 60_000;

interface Kept {
  readonly sha256: string;
  readonly content: Buffer;
  readonly until: number;
}

/**
 * The contents of small objects that were read a moment ago: opening, reading and closing a file of 10 KB costs three ways to another thread, more than
 * all else that such a download needs. Each is kept under the digest that whoever asks expects, so that nobody gets what a key has held before.
 */
export class SmallObjects {
  /** By key, in the order in which they were read. */
  private readonly kept = new Map<string, Kept>();
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Whether an object of that size is worth keeping. */
  static isSmall(size: number): boolean {
    return size > 0 && size <= MAX_BYTES;
  }

  /** The content that is known under the key, if it has that digest; it is not to be written to. */
  find(key: string, sha256: string): Buffer | undefined {
    const found = this.kept.get(key);
    return found?.sha256 === sha256 && found.until > performance.now() ? found.content : undefined;
  }

  /** Keeps a whole content for a minute, in the place of those that were read longest ago. */
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

  /** The object is not there any more, or another one. */
  forget(key: string): void {
    const found = this.kept.get(key);
    if (!found) return;
    this.kept.delete(key);
    this.size -= found.content.length;
  }

  /** Forgets all. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.kept.clear();
    this.size = 0;
  }

  /** What is over must not lie here for as long as nobody reads anything. */
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
