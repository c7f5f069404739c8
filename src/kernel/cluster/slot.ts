import type { Worker } from 'node:cluster';

/** Number of failures in a row that are retried when no process serves requests. */
const RETRIES = 3;

/** A process that works for this long has not failed. */
const STABLE_MS = 60_000;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** The slot of one process: its current process, and how often it failed in a row. */
export class Slot {
  /** Its process, which may still be starting. */
  worker: Worker | undefined;
  /** Whether a process is starting that will replace the current one. */
  isBeingReplaced = false;
  /** Number of processes in a row that exited unexpectedly. */
  failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private workingSince: number | undefined;

  constructor(readonly kind: 'api' | 'worker') {}

  /** Whether requests can be sent to it. */
  get serves(): boolean {
    return this.kind === 'api' && this.workingSince !== undefined;
  }

  /** Whether restarting its process does not help. */
  get isExhausted(): boolean {
    return this.failures > RETRIES;
  }

  /** Pause before the next start, longer after each failure. */
  get pauseMs(): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, this.failures - 1));
  }

  /** Its process works from now on. */
  works(worker: Worker): void {
    this.worker = worker;
    this.workingSince = performance.now();
  }

  /** Its process has exited unexpectedly. */
  failed(): void {
    const isStable = this.workingSince !== undefined && performance.now() - this.workingSince >= STABLE_MS;
    this.failures = isStable ? 1 : this.failures + 1;
    this.worker = undefined;
    this.workingSince = undefined;
  }

  /** Calls `start` after the pause. */
  later(start: () => void): void {
    this.cancel();
    this.timer = setTimeout(start, this.pauseMs);
  }

  /** Prevents a start that is due later. */
  cancel(): void {
    clearTimeout(this.timer);
  }
}
