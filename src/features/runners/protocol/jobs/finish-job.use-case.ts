import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { CiStatus } from '#core/ci/jobs/job-status.js';
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

  /** Ends a job that runs; returns the status that it has afterwards, whoever has ended it. Null when it is gone. */
  run(jobId: number, to: 'success' | 'failed', change: JobChange = {}): Promise<CiStatus | null> {
    return this.transactions.run(async (tx) => {
      const locked = await this.pipelines.lockWithJob(tx, jobId);
      if (!locked) return null;
      const { pipeline, job } = locked;
      if (job.status !== 'running') return job.status;
      await this.transitions.move(tx, job, to, change);
      await this.processing.process(tx, pipeline);
      return job.status;
    });
  }
}
