import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { CiStatus } from '#core/ci/jobs/job-status.js';
import { JobTransitionsService, type JobChange } from '#core/ci/processing/job-transitions.service.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import { askFormerStatus } from '#core/ci/processing/former-status.js';
import { PipelineJobs } from '#core/ci/processing/steps/pipeline-jobs.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';

const PIPELINE_OF_JOB = 'select pipeline_id from ci_jobs where id = $1';

/** Ends running jobs. */
@Injectable()
export class FinishJob {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
  ) {}

  /** Ends a running job; returns its status afterwards, whoever ended it. Null if it no longer exists. */
  run(jobId: number, to: 'success' | 'failed', change: JobChange = {}): Promise<CiStatus | null> {
    return this.transactions.run(async (tx) => {
      const asked = await this.pipelines.askWithJob(tx, jobId);
      const jobsOf = await PipelineJobs.ask(tx, PIPELINE_OF_JOB, [jobId]);
      const former = await askFormerStatus(tx, jobId);
      const locked = await asked();
      if (!locked) return null;
      const { pipeline, job } = locked;
      if (job.status !== 'running') return job.status;
      await this.transitions.move(tx, job, to, change);
      // A failed job may be retried, and environments have stop jobs.
      const jobs = to === 'success' && job.environment === null ? await jobsOf(pipeline.id) : null;
      if (jobs?.follow(job) === true) await this.processing.processKnown(tx, pipeline, jobs, former);
      else await this.processing.process(tx, pipeline);
      return job.status;
    });
  }
}
