import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Job } from '../jobs/job.entity.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { JobStartingService } from '../processing/job-starting.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { StartDelayedJob } from './start-delayed.job.js';

/**
 * Skips jobs that were played or canceled in the meantime, and puts off those that are not due yet; a job that a
 * gate delays asks the gates again.
 */
@Injectable()
export class StartDelayedProcessor extends JobProcessor<Readonly<{ jobId: number }>> {
  readonly job = StartDelayedJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly starting: JobStartingService,
    private readonly processing: ProcessPipeline,
  ) {
    super();
  }

  process({ jobId }: Readonly<{ jobId: number }>): Promise<void> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lockOfJob(tx, jobId);
      const job = pipeline && (await tx.findOneBy(Job, { id: jobId }));
      if (!pipeline || job?.status !== 'scheduled') return;
      const { waitingReason, scheduledAt } = job;
      if (waitingReason === null && scheduledAt !== null && scheduledAt.getTime() > Date.now())
        return this.starting.wakeLater(tx, jobId, scheduledAt);
      await this.starting.start(tx, job);
      await this.processing.process(tx, pipeline);
    });
  }
}
