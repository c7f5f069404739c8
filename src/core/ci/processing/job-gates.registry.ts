import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { JobFreezeOverride } from '../jobs/freeze-override.params.js';
import type { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';

/**
 * Verdict that delays a job until a time; it then starts unless another gate holds it. Users see the reason.
 */
export interface GateDelay {
  readonly until: Date;
  readonly reason: string;
}

/** Verdict on whether a job may be handed to runners now; `hold` makes it manual until it is played. */
export type GateVerdict = 'pass' | 'hold' | GateDelay | { readonly fail: FailureReason };

/**
 * Called under the lock of the pipeline: in the transaction that makes the job pending, and again in the one
 * that assigns it to a runner. May lock environments, never a pipeline.
 */
export type JobGate = (tx: Tx, job: Job, override: JobFreezeOverride | null) => Promise<GateVerdict>;

/**
 * Registry of the gates that can hold a job back, such as protected environments; they register in
 * `onModuleInit`.
 */
@Injectable()
export class JobGatesRegistry {
  private readonly gates: JobGate[] = [];
  private readonly last: JobGate[] = [];

  /** Adds a gate; a `last` gate is asked only if all others let the job pass. */
  register(gate: JobGate, when: 'first' | 'last' = 'first'): void {
    (when === 'last' ? this.last : this.gates).push(gate);
  }

  /**
   * Returns the first verdict that is not `pass`. `override`: the user asks to ignore freeze periods. @throws
   * 400, 403 if they may not
   */
  async judge(tx: Tx, job: Job, override: JobFreezeOverride | null = null): Promise<GateVerdict> {
    for (const gate of [...this.gates, ...this.last]) {
      const verdict = await gate(tx, job, override);
      if (verdict !== 'pass') return verdict;
    }
    return 'pass';
  }
}
