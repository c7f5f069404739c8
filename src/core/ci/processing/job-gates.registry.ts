import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { JobFreezeOverride } from '../jobs/freeze-override.params.js';
import type { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';

/** A job waits for a time, and then goes on by itself if nothing else stands in its way; people are told the reason. */
export interface GateDelay {
  readonly until: Date;
  readonly reason: string;
}

/** Whether a job may be handed to runners now: `hold` makes it manual until it is played. */
export type GateVerdict = 'pass' | 'hold' | GateDelay | { readonly fail: FailureReason };

/**
 * Asked in the transaction that is about to make the job pending, and again in the one that hands it out, under the lock of its pipeline; may
 * lock environments, never a pipeline.
 */
export type JobGate = (tx: Tx, job: Job, override: JobFreezeOverride | null) => Promise<GateVerdict>;

/** Whoever may stand in the way of a job registers here, in `onModuleInit`: protected environments do. */
@Injectable()
export class JobGatesRegistry {
  private readonly gates: JobGate[] = [];
  private readonly last: JobGate[] = [];

  register(gate: JobGate): void {
    this.gates.push(gate);
  }

  /** Registers one that is asked where all the others let a job pass. */
  registerLast(gate: JobGate): void {
    this.last.push(gate);
  }

  /** The first verdict that is not `pass`. `override`: whoever starts it asks that no freeze stands in its way. @throws 400, 403 where they may not */
  async judge(tx: Tx, job: Job, override: JobFreezeOverride | null = null): Promise<GateVerdict> {
    for (const gate of [...this.gates, ...this.last]) {
      const verdict = await gate(tx, job, override);
      if (verdict !== 'pass') return verdict;
    }
    return 'pass';
  }
}
