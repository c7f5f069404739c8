import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Job } from '../jobs/job.entity.js';
import { JobGates } from './job-gates.js';
import { JobTransitions, type JobChange } from './job-transitions.js';
import { ResourceGroups } from './resource-groups.js';

/** Hands jobs to runners, as far as the gates and the group of their resource allow it. */
@Injectable()
export class JobStarting {
  constructor(
    private readonly gates: JobGates,
    private readonly groups: ResourceGroups,
    private readonly transitions: JobTransitions,
  ) {}

  /** Makes a job pending; or manual when a gate holds it, failed when one refuses it, or one that waits for its resource. The pipeline is locked. */
  async start(tx: Tx, job: Job, change: JobChange = {}): Promise<void> {
    // Gates ask who runs it: whoever plays it, not whoever has made the pipeline.
    if (change.userId !== undefined) job.userId = change.userId;
    const verdict = await this.gates.judge(tx, job);
    if (verdict === 'hold') {
      if (job.status !== 'manual') await this.transitions.move(tx, job, 'manual', change);
    } else if (verdict !== 'pass') {
      await this.transitions.move(tx, job, 'failed', { ...change, failureReason: verdict.fail });
    } else if (await this.groups.isTaken(tx, job)) {
      if (job.status !== 'waiting_for_resource')
        await this.transitions.move(tx, job, 'waiting_for_resource', change);
    } else await this.transitions.move(tx, job, 'pending', change);
  }
}
