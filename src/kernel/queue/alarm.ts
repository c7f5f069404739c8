/** Pause before a look that has failed is made again. */
const AGAIN_MS = 5_000;
/** Alarms do not ring more often: what is due meanwhile is found by the same look. */
const LEAST_MS = 20;

/** Looks when it is told to, at the time at which the last look said there will be something, and once in `netMs` whatever happens. */
export class Alarm {
  private timer: NodeJS.Timeout | undefined;
  /** On the clock of the process, which nobody sets. */
  private ringsAt = Number.POSITIVE_INFINITY;
  private lastRang = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private stopped = true;

  /** `look` answers in how many milliseconds it wants to be called again, undefined for no certain time. */
  constructor(
    private readonly look: () => Promise<number | undefined>,
    private readonly netMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Makes a first look in so many milliseconds. */
  start(inMs: number): void {
    this.stopped = false;
    this.ring(inMs);
  }

  /** Looks in so many milliseconds, unless that is done earlier anyway. */
  ring(inMs: number): void {
    const now = performance.now();
    const at = Math.max(now + Math.min(inMs, this.netMs), this.lastRang + LEAST_MS);
    if (this.stopped || at >= this.ringsAt) return;
    this.ringsAt = at;
    clearTimeout(this.timer);
    // A look that is under way sets the timer when it ends.
    if (!this.looking) this.timer = setTimeout(() => this.rang(), Math.ceil(at - now));
  }

  /** Ends after the look that is under way. */
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
