import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { CiStatus } from '#core/ci/jobs/job-status.js';
import { askForEndingJob } from '#core/ci/processing/ending-job.js';
import { JobTransitionsService, type JobChange } from '#core/ci/processing/job-transitions.service.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';

/** Ends running jobs. */
@Injectable()
export class FinishJob {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
  ) {}

  /** Ends a running job; returns its status afterwards, even if another caller ended it. Null if it no longer exists. */
  run(jobId: number, to: 'success' | 'failed', change: JobChange = {}): Promise<CiStatus | null> {
    return this.transactions.run(async (tx) => {
      const locked = await this.pipelines.askOfJob(tx, jobId);
      // A separate statement, to see what was committed while that one waited for the lock.
      const asked = await askForEndingJob(tx, jobId);
      const [pipeline, ending] = [await locked(), await asked()];
      if (!pipeline || !ending) return null;
      const { job, jobs, former } = ending;
      if (job.status !== 'running') return job.status;
      await this.transitions.move(tx, job, to, change);
      // A failed job may be retried, and environments have stop jobs.
      const isKnown = to === 'success' && job.environment === null && jobs.follow(job);
      if (isKnown) await this.processing.processKnown(tx, pipeline, jobs, former);
      else await this.processing.process(tx, pipeline);
      return job.status;
    });
  }
}
