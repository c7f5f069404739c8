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

  /**
   * Makes a job pending; or manual when a gate holds it, failed when one refuses it, or one that waits for its resource. The pipeline is locked.
   * Gates ask who runs it: whoever plays it, not whoever has made the pipeline.
   */
  async start(tx: Tx, job: Job, change: JobChange = {}): Promise<void> {
    if (change.userId !== undefined) job.userId = change.userId;
    if (await this.passes(tx, job, change)) await this.transitions.move(tx, job, 'pending', change);
  }

  /** The same for several jobs of one pipeline. */
  async startAll(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const free: Job[] = [];
    for (const job of jobs) {
      // The next one of its group finds that it has the resource.
      if (job.resourceGroup !== null) await this.start(tx, job);
      else if (await this.passes(tx, job, {})) free.push(job);
    }
    await this.transitions.moveAll(tx, free, 'pending');
  }

  /** Whether nothing stands in the way of a job; otherwise it has become what that makes of it. */
  private async passes(tx: Tx, job: Job, change: JobChange): Promise<boolean> {
    const verdict = await this.gates.judge(tx, job);
    if (verdict === 'hold') {
      if (job.status !== 'manual') await this.transitions.move(tx, job, 'manual', change);
      return false;
    }
    if (verdict !== 'pass') {
      await this.transitions.move(tx, job, 'failed', { ...change, failureReason: verdict.fail });
      return false;
    }
    if (!(await this.groups.isTaken(tx, job))) return true;
    if (job.status !== 'waiting_for_resource')
      await this.transitions.move(tx, job, 'waiting_for_resource', change);
    return false;
  }
}
