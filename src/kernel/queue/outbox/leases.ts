import { Injectable, Logger } from '@nestjs/common';
import type { ClaimedJob } from './claimed-job.js';
import { type JobRun } from '../running/job-run.js';
import { RunLost } from '../job-processor.js';
import { QueueOptions } from '../queue-options.js';
import { Runs } from './runs.js';

interface Lease {
  readonly claimed: ClaimedJob;
  readonly run: JobRun;
}

/** Renews the leases of all runs of this process in one statement, and aborts runs that lost theirs. */
@Injectable()
export class Leases {
  private readonly logger = new Logger(Leases.name);
  private readonly leases = new Map<string, Lease>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly options: QueueOptions,
  ) {}

  /** Renews the lease of a run until `release`. */
  hold(claimed: ClaimedJob, run: JobRun): void {
    this.leases.set(claimed.runToken, { claimed, run });
    this.timer ??= setInterval(() => void this.renew(), this.options.leaseMs / 3);
  }

  /** Stops renewing. */
  release(claimed: ClaimedJob): void {
    this.leases.delete(claimed.runToken);
    if (this.leases.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Aborts every run with the given reason. */
  abortAll(reason: Error): void {
    for (const lease of this.leases.values()) lease.run.abort.abort(reason);
  }

  private async renew(): Promise<void> {
    const held = [...this.leases.values()];
    try {
      const owned = await this.runs.renew(held.map((lease) => lease.claimed));
      held.forEach((lease, index) => {
        const { claimed, run } = lease;
        if (owned[index] !== true && !run.completed && this.leases.has(claimed.runToken)) {
          run.abort.abort(new RunLost(claimed.id));
        }
      });
    } catch (error) {
      this.logger.warn(`Cannot renew the leases of ${held.length} jobs: ${(error as Error).message}`);
    }
  }
}
