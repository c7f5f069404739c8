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

/** Queues jobs for runners if gates and resource groups allow it. */
@Injectable()
export class JobStartingService {
  constructor(
    private readonly gates: JobGatesRegistry,
    private readonly groups: ResourceGroupsService,
    private readonly transitions: JobTransitionsService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Makes a job pending; or manual if a gate holds it, scheduled if a gate delays it, failed if a gate
   * rejects it, and `waiting_for_resource` if its resource is taken. The pipeline must be locked. Gates check
   * the user who plays the job, not the creator of the pipeline.
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

  /** Starts several jobs of one pipeline. */
  async startAll(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const passed: Job[] = [];
    for (const job of jobs) if (await this.passes(tx, job)) passed.push(job);
    // Lock all groups in one step: with other locks between them, two pipelines could deadlock.
    await this.groups.lock(tx, passed);
    // One at a time: the next job of the same group must see that the resource is taken.
    for (const job of passed) if (job.resourceGroup !== null) await this.queue(tx, job, {});
    const free = passed.filter(({ resourceGroup }) => resourceGroup === null);
    await this.transitions.moveAll(tx, free, 'pending');
  }

  /**
   * Starts a job that a runner has just taken, if all gates still let it pass: it may have waited long.
   * Otherwise applies their verdict and returns false; the runner does not receive the job. The pipeline must
   * be locked, and the job read after that.
   */
  async begin(tx: Tx, job: Job): Promise<boolean> {
    const verdict = await this.gates.judge(tx, job);
    if (verdict !== 'pass' && !isRefusal(verdict)) await this.transitions.takeBack(tx, job);
    if (!(await this.obey(tx, job, verdict))) return false;
    await this.transitions.begin(tx, job);
    return true;
  }

  /**
   * Returns whether all gates let the job pass; otherwise applies their verdict. The pipeline must be locked.
   */
  async passes(tx: Tx, job: Job): Promise<boolean> {
    return this.obey(tx, job, await this.gates.judge(tx, job));
  }

  /**
   * Schedules a delayed job; a job that a gate holds or refuses does not wait for its delay first, so that it can be approved
   * in that time (`ci.md` 2). The pipeline must be locked.
   */
  async schedule(tx: Tx, job: Job, scheduledAt: Date): Promise<void> {
    const verdict = await this.gates.judge(tx, job);
    if (verdict === 'hold' || isRefusal(verdict)) await this.obey(tx, job, verdict);
    else await this.delay(tx, job, scheduledAt);
  }

  /** Schedules a job to start at a time. The pipeline must be locked. */
  async delay(tx: Tx, job: Job, scheduledAt: Date, change: JobChange = {}): Promise<void> {
    await this.transitions.move(tx, job, 'scheduled', { ...change, scheduledAt });
    await this.jobs.enqueue(tx, StartDelayedJob, { jobId: job.id }, { delayMs: millisecondsTo(scheduledAt) });
  }

  /**
   * Wakes a scheduled job again that is not due yet: the clock of the process that has scheduled it may be
   * ahead of this one.
   */
  async wakeLater(tx: Tx, jobId: number, scheduledAt: Date): Promise<void> {
    const options = { delayMs: millisecondsTo(scheduledAt), dedupeKey: String(jobId) };
    await this.jobs.enqueue(tx, StartDelayedJob, { jobId }, options);
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

const millisecondsTo = (time: Date): number => Math.max(0, time.getTime() - Date.now());

const isRefusal = (verdict: GateVerdict): verdict is { readonly fail: FailureReason } =>
  typeof verdict === 'object' && 'fail' in verdict;
