/** Bytes a second that whoever holds a place takes at least while others wait for it. */
const LEAST_RATE = 32 * 1024;
const WINDOW_MS = 10_000;
/** Share of the time in which git waits for the client, not the client for git. */
const MOSTLY = 0.8;

/** Tells whether a client, who has had to be waited for, is too slow to hold a place that others wait for. */
export class SlowReader {
  private bytes = 0;
  private blockedMs = 0;
  private blockedSince: number | null = null;

  constructor(private windowAt = Date.now()) {}

  /** So many bytes have been handed on. */
  passed(bytes: number): void {
    this.bytes += bytes;
  }

  /** From now on git waits for the client. */
  wait(now: number): void {
    this.blockedSince ??= now;
  }

  /** The client has caught up. */
  goOn(now: number): void {
    if (this.blockedSince !== null) this.blockedMs += now - this.blockedSince;
    this.blockedSince = null;
  }

  /** Whether the last stretch of time was too slow; false before it is over. Ask every few seconds. */
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
