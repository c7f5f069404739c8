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
import type { JobPayloadRecord } from '../payload/job-payload.records.js';
import { PipelineRefsContribution } from '../refs/pipeline-refs.contribution.js';
import type { KnownRunner } from '../runner-credential.finder.js';
import { FinishJob } from './finish-job.use-case.js';

/** Jobs that cannot be handed out fail; after so many the runner asks again. */
const TRIES = 10;

/** A job is not to fail because the database is away for a moment: pauses before it is tried once more. */
const PAUSES_MS = [250, 1_000];

/** A job that runs from now on, and what it belongs to. */
interface Begun {
  readonly pipeline: Pipeline;
  readonly job: Job;
}

/** Finds the next job of a runner and makes everything ready that the runner needs for it. */
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

  /** The next job of a runner. `conflict`: others were quicker, it may ask again. */
  async run(runner: KnownRunner, jobAge: number): Promise<JobPayloadRecord | 'none' | 'conflict'> {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const picked = await this.picking.run(runner, jobAge);
      if (typeof picked === 'string') return picked;
      const payload = await this.prepare(runner, picked);
      if (payload) return payload;
    }
    return 'conflict';
  }

  /** Null when the job does not run: it has failed, or waits for something again, and the runner gets another one. */
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

  /** Null where the step says so, and when it cannot be taken: the job has failed then. */
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
   * The job runs, and its pipeline learns of it. Null when it was canceled in this moment, or may not run any more: it may have waited long, and
   * rights and approvals may have been taken away since.
   */
  private async begin(runner: KnownRunner, { jobId, projectId, mayRun }: PickedJob): Promise<Begun | null> {
    if (!mayRun) return this.fail(jobId, 'user_blocked');
    return this.transactions.run(async (tx) => {
      const { pipeline, job: current } = await this.pipelines.lockJob(tx, projectId, jobId);
      if (current.status !== 'running') return null;
      if (!(await this.suits(tx, runner, pipeline, current))) return null;
      const begins = await this.starting.begin(tx, current);
      await this.processing.process(tx, pipeline);
      return begins ? { pipeline, job: current } : null;
    });
  }

  /** Whether the runner may have the job although its ref may be protected no longer; otherwise it waits for another runner. */
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
