import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';

/** Whether a job may be handed to runners now: `hold` makes it manual until it is played. */
export type GateVerdict = 'pass' | 'hold' | { readonly fail: FailureReason };

/**
 * Asked in the transaction that is about to make the job pending, and again in the one that hands it out, under the lock of its pipeline; may
 * lock environments, never a pipeline.
 */
export type JobGate = (tx: Tx, job: Job) => Promise<GateVerdict>;

/** Whoever may stand in the way of a job registers here, in `onModuleInit`: protected environments do. */
@Injectable()
export class JobGates {
  private readonly gates: JobGate[] = [];

  register(gate: JobGate): void {
    this.gates.push(gate);
  }

  /** The first verdict that is not `pass`. */
  async judge(tx: Tx, job: Job): Promise<GateVerdict> {
    for (const gate of this.gates) {
      const verdict = await gate(tx, job);
      if (verdict !== 'pass') return verdict;
    }
    return 'pass';
  }
}
