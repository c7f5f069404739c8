import type { ClaimedJob } from '../outbox/claimed-job.js';

/**
 * Running jobs of this process whose workers have died before: one of them may be the cause, and take the others
 * with it. A job that the next death fails for good shares the process with no other suspect.
 */
export class Suspects {
  private readonly running = new Set<ClaimedJob>();

  constructor(private readonly maxStalls: number) {}

  /** Whether the job may run now; if so, it counts as running until `leave`. */
  admit(claimed: ClaimedJob): boolean {
    if (claimed.stalls === 0) return true;
    if (this.running.size > 0 && [claimed, ...this.running].some((job) => job.stalls >= this.maxStalls)) {
      return false;
    }
    this.running.add(claimed);
    return true;
  }

  /** Ends the run of a job. */
  leave(claimed: ClaimedJob): void {
    this.running.delete(claimed);
  }
}
