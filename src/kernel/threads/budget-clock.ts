/** Measures the time that a task works, excluding waits for help; calls `over` when its budget is used up. */
export class BudgetClock {
  private timer: NodeJS.Timeout | undefined;
  private since = 0;
  private waits = 0;

  constructor(
    private leftMs: number,
    private readonly over: () => void,
  ) {
    this.run();
  }

  /** Stops the clock until `resume`. */
  pause(): void {
    this.waits += 1;
    if (this.waits > 1) return;
    clearTimeout(this.timer);
    this.leftMs -= performance.now() - this.since;
  }

  resume(): void {
    this.waits -= 1;
    if (this.waits === 0) this.run();
  }

  stop(): void {
    // A later resume finds that it is over.
    this.waits = Number.POSITIVE_INFINITY;
    clearTimeout(this.timer);
  }

  private run(): void {
    this.since = performance.now();
    this.timer = setTimeout(this.over, Math.max(1, this.leftMs));
  }
}
