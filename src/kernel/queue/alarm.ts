/** Delay before a failed check is repeated. */
const AGAIN_MS = 5_000;
/** Minimum interval between two checks; one check finds everything that became due in between. */
const LEAST_MS = 20;

/** Runs a check on request, at the time that the last check predicted, and at least every `netMs`. */
export class Alarm {
  private timer: NodeJS.Timeout | undefined;
  /** On the monotonic clock of the process. */
  private ringsAt = Number.POSITIVE_INFINITY;
  private lastRang = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private stopped = true;

  /** `look` returns the milliseconds until its next call; undefined if it expects none. */
  constructor(
    private readonly look: () => Promise<number | undefined>,
    private readonly netMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Schedules the first check in `inMs` milliseconds. */
  start(inMs: number): void {
    this.stopped = false;
    this.ring(inMs);
  }

  /** Schedules a check in `inMs` milliseconds, unless an earlier one is scheduled. */
  ring(inMs: number): void {
    const now = performance.now();
    const at = Math.max(now + Math.min(inMs, this.netMs), this.lastRang + LEAST_MS);
    if (this.stopped || at >= this.ringsAt) return;
    this.ringsAt = at;
    clearTimeout(this.timer);
    // A running check sets the timer when it ends.
    if (!this.looking) this.timer = setTimeout(() => this.rang(), Math.ceil(at - now));
  }

  /** Cancels the next check and waits for a running one. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private rang(): void {
    this.lastRang = performance.now();
    this.ringsAt = Number.POSITIVE_INFINITY;
    this.looking = this.lookOnce().then((nextMs) => {
      this.looking = undefined;
      const told = this.ringsAt - performance.now();
      this.ringsAt = Number.POSITIVE_INFINITY;
      this.ring(Math.max(0, Math.min(nextMs, told)));
    });
  }

  private async lookOnce(): Promise<number> {
    try {
      return (await this.look()) ?? this.netMs;
    } catch (error) {
      this.onError(error);
      return AGAIN_MS;
    }
  }
}
