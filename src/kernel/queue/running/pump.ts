const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

/** Repeats a step while it finds work, one run at a time; a wake-up during a run triggers another one. */
export class Pump {
  private dirty = false;
  private running: Promise<void> | undefined;
  private looping = false;
  private stopped = false;
  private failures = 0;
  private retryTimer: NodeJS.Timeout | undefined;

  /** `step` returns whether more work may be ready at once. */
  constructor(
    private readonly step: () => Promise<boolean>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Runs the step now, after the running one, or after the pause that follows an error. */
  wake(): void {
    this.dirty = true;
    if (this.looping || this.stopped || this.retryTimer) return;
    this.looping = true;
    this.running = this.loop();
  }

  /** Stops after the running step. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    await this.running;
  }

  private async loop(): Promise<void> {
    while (this.dirty && !this.stopped) {
      this.dirty = false;
      try {
        if (await this.step()) this.dirty = true;
        this.failures = 0;
      } catch (error) {
        this.pause(error);
        break;
      }
    }
    this.looping = false;
  }

  private pause(error: unknown): void {
    this.onError(error);
    if (this.stopped) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LAST_PAUSE_MS);
    this.failures += 1;
    this.retryTimer = setTimeout(() => {
      this.retryTimer = undefined;
      this.wake();
    }, pauseMs);
  }
}
