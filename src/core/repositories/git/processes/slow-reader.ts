/** Minimum bytes per second for readers that hold a slot others wait for. */
const LEAST_RATE = 32 * 1024;
const WINDOW_MS = 10_000;
/** Share of the time during which git waits for the client. */
const MOSTLY = 0.8;

/** Detects clients that are too slow to hold a slot that others wait for. */
export class SlowReader {
  private bytes = 0;
  private blockedMs = 0;
  private blockedSince: number | null = null;

  constructor(private windowAt = performance.now()) {}

  /** Records bytes passed to the client. */
  passed(bytes: number): void {
    this.bytes += bytes;
  }

  /** Records that git now waits for the client. */
  wait(now: number): void {
    this.blockedSince ??= now;
  }

  /** Records that the client has caught up. */
  goOn(now: number): void {
    if (this.blockedSince !== null) this.blockedMs += now - this.blockedSince;
    this.blockedSince = null;
  }

  /** Returns whether the last interval was too slow; false before it is over. Call it every few seconds. */
  isSlow(now: number): boolean {
    const window = now - this.windowAt;
    if (window < WINDOW_MS) return false;
    const isBlocked = this.blockedSince !== null;
    this.goOn(now);
    const isSlow = this.blockedMs > MOSTLY * window && this.bytes < (LEAST_RATE * window) / 1000;
    this.windowAt = now;
    this.bytes = 0;
    this.blockedMs = 0;
    if (isBlocked) this.wait(now);
    return isSlow;
  }
}
