import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { JobFreezeOverride } from '../jobs/freeze-override.params.js';
import type { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';
import { StartDelayedJob } from '../watch/start-delayed.job.js';
import { JobGatesRegistry, type GateVerdict } from './job-gates.registry.js';
import { JobTransitionsService, type JobChange } from './job-transitions.service.js';
import { ResourceGroupsService } from './resource-groups.service.js';

/** Hands jobs to runners, as far as the gates and the group of their resource allow it. */
@Injectable()
export class JobStartingService {
  constructor(
    private readonly gates: JobGatesRegistry,
    private readonly groups: ResourceGroupsService,
    private readonly transitions: JobTransitionsService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Makes a job pending; or manual when a gate holds it, scheduled when one lets it wait for a time, failed when one refuses it, or one that waits
   * for its resource. The pipeline is locked. Gates ask who runs it: whoever plays it, not
   * whoever has made the pipeline.
   */
  async start(
    tx: Tx,
    job: Job,
    change: JobChange = {},
    override: JobFreezeOverride | null = null,
  ): Promise<void> {
    if (change.userId !== undefined) job.userId = change.userId;
    if (!(await this.obey(tx, job, await this.gates.judge(tx, job, override), change))) return;
    await this.groups.lock(tx, [job]);
    await this.queue(tx, job, change);
  }

  /** The same for several jobs of one pipeline. */
  async startAll(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const passed: Job[] = [];
    for (const job of jobs) if (await this.passes(tx, job)) passed.push(job);
    // Nothing else is locked between the groups: two pipelines would wait for each other.
    await this.groups.lock(tx, passed);
    // The next one of its group finds that it has the resource.
    for (const job of passed) if (job.resourceGroup !== null) await this.queue(tx, job, {});
    const free = passed.filter(({ resourceGroup }) => resourceGroup === null);
    await this.transitions.moveAll(tx, free, 'pending');
  }

  /**
   * Lets a job run that a runner has just taken, if all gates still let it through: it may have waited long. False when it has become what
   * they make of it instead; the runner is not told of it. The pipeline is locked, the job was read after that.
   */
  async begin(tx: Tx, job: Job): Promise<boolean> {
    const verdict = await this.gates.judge(tx, job);
    if (verdict !== 'pass' && !isRefusal(verdict)) await this.transitions.takeBack(tx, job);
    if (!(await this.obey(tx, job, verdict))) return false;
    await this.transitions.begin(tx, job);
    return true;
  }

  /** Whether no gate stands in the way of a job; otherwise it has become what that makes of it. The pipeline is locked. */
  async passes(tx: Tx, job: Job): Promise<boolean> {
    return this.obey(tx, job, await this.gates.judge(tx, job));
  }

  /** Lets a job wait until a time, and then start. The pipeline is locked. */
  async delay(tx: Tx, job: Job, scheduledAt: Date, change: JobChange = {}): Promise<void> {
    await this.transitions.move(tx, job, 'scheduled', { ...change, scheduledAt });
    const delayMs = Math.max(0, scheduledAt.getTime() - Date.now());
    await this.jobs.enqueue(tx, StartDelayedJob, { jobId: job.id }, { delayMs });
  }

  private async obey(tx: Tx, job: Job, verdict: GateVerdict, change: JobChange = {}): Promise<boolean> {
    if (verdict === 'hold') {
      if (job.status !== 'manual') await this.transitions.move(tx, job, 'manual', change);
      return false;
    }
    if (verdict === 'pass') return true;
    if (isRefusal(verdict))
      await this.transitions.move(tx, job, 'failed', { ...change, failureReason: verdict.fail });
    else await this.delay(tx, job, verdict.until, { ...change, waitingReason: verdict.reason });
    return false;
  }

  private async queue(tx: Tx, job: Job, change: JobChange): Promise<void> {
    const to = (await this.groups.isTaken(tx, job)) ? 'waiting_for_resource' : 'pending';
    if (to === 'pending' || job.status !== to) await this.transitions.move(tx, job, to, change);
  }
}

const isRefusal = (verdict: GateVerdict): verdict is { readonly fail: FailureReason } =>
  typeof verdict === 'object' && 'fail' in verdict;
