import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { isTransient } from '#kernel/database/transient.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import type { FailureReason } from '#core/ci/jobs/job-status.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { JobTransitionsService } from '#core/ci/processing/job-transitions.service.js';
import { JobStartingService } from '#core/ci/processing/job-starting.service.js';
import { PipelineProtectionsQueries } from '#core/ci/pipelines/pipeline-protections.queries.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { PickJob, type PickedJob } from '#core/ci/runners/pick-job.use-case.js';
import { JobPayloadService } from '../payload/job-payload.service.js';
import type { JobPayloadRecord } from '../payload/job-payload.record.js';
import { PipelineRefsContribution } from '../refs/pipeline-refs.contribution.js';
import type { KnownRunner } from '../runner-credential.finder.js';
import { FinishJob } from './finish-job.use-case.js';

/** Limit of jobs that fail to be handed out in one request; the runner then asks again. */
const TRIES = 10;

/** Delays before retries, so that a job does not fail because of a short database outage. */
const PAUSES_MS = [250, 1_000];

/** A started job, with its project and pipeline. */
interface Begun {
  readonly pipeline: Pipeline;
  readonly job: Job;
}

/** Finds the next job for a runner and prepares everything that the runner needs for it. */
@Injectable()
export class HandOutJob {
  private readonly logger = new Logger(HandOutJob.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly picking: PickJob,
    private readonly pipelines: PipelinesService,
    private readonly processing: ProcessPipeline,
    private readonly refs: PipelineRefsContribution,
    private readonly payload: JobPayloadService,
    private readonly finish: FinishJob,
    private readonly starting: JobStartingService,
    private readonly transitions: JobTransitionsService,
    private readonly protections: PipelineProtectionsQueries,
  ) {}

  /** Returns the next job for a runner. `conflict`: others were faster, the runner may ask again. */
  async run(runner: KnownRunner, jobAge: number): Promise<JobPayloadRecord | 'none' | 'conflict'> {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const picked = await this.picking.run(runner, jobAge);
      if (typeof picked === 'string') return picked;
      const payload = await this.prepare(runner, picked);
      if (payload) return payload;
    }
    return 'conflict';
  }

  /**
   * Prepares the job; null if it does not start: it has failed or waits again, and the runner gets another
   * one.
   */
  private async prepare(runner: KnownRunner, picked: PickedJob): Promise<JobPayloadRecord | null> {
    const { jobId } = picked;
    const begun = await this.patiently(jobId, () => this.begin(runner, picked));
    if (!begun) return null;
    return this.patiently(jobId, async () => {
      const { pipeline, job } = begun;
      await this.refs.keep(pipeline);
      return (await this.payload.of(runner, picked, job, pipeline)) ?? this.fail(jobId, 'project_deleted');
    });
  }

  /** Retries a step; null if the step returns null, or keeps failing, which fails the job. */
  private async patiently<Result>(id: number, step: () => Promise<Result | null>): Promise<Result | null> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await step();
      } catch (error) {
        this.logger.error(`Job ${id} could not be handed out: ${String(error)}`);
        if (!isTransient(error)) return this.fail(id, 'data_integrity_failure');
        const pause = PAUSES_MS[attempt];
        if (pause === undefined) return this.fail(id, 'scheduler_failure');
        await sleep(pause);
      }
    }
  }

  /**
   * Starts the job and updates its pipeline. Null if it was just canceled or removed, or may no longer run:
   * rights and approvals may have been revoked while it waited.
   */
  private async begin(runner: KnownRunner, { jobId, projectId, mayRun }: PickedJob): Promise<Begun | null> {
    if (!mayRun) return this.fail(jobId, 'user_blocked');
    return this.transactions.run(async (tx) => {
      const locked = await this.pipelines.lockWithJob(tx, jobId, projectId);
      if (locked?.job.status !== 'running') return null;
      const { pipeline, job: current } = locked;
      if (!(await this.suits(tx, runner, pipeline, current))) return null;
      const begins = await this.starting.begin(tx, current);
      await this.processing.process(tx, pipeline);
      return begins ? { pipeline, job: current } : null;
    });
  }

  /**
   * Returns whether the runner may have the job, whose ref may no longer be protected; otherwise the job
   * waits for another runner.
   */
  private async suits(tx: Tx, runner: KnownRunner, pipeline: Pipeline, job: Job): Promise<boolean> {
    if (!job.protected || (await this.protections.isProtected(pipeline))) return true;
    await tx.update(Job, { id: job.id }, { protected: false });
    job.protected = false;
    if (runner.onlyProtected) await this.transitions.giveBack(tx, job);
    return !runner.onlyProtected;
  }

  private async fail(jobId: number, failureReason: FailureReason): Promise<null> {
    await this.finish.run(jobId, 'failed', { failureReason });
    return null;
  }
}
