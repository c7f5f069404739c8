import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Job } from '../jobs/job.entity.js';
import { Pipelines } from '../pipelines/pipelines.service.js';
import { JobStarting } from '../processing/job-starting.js';
import { PipelineProcessing } from '../processing/pipeline-processing.js';
import { StartDelayed } from './start-delayed.job.js';

/** Leaves alone what somebody has played or cancelled meanwhile, and what is not due yet. */
@Injectable()
export class StartDelayedProcessor extends JobProcessor<Readonly<{ jobId: number }>> {
  readonly job = StartDelayed;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: Pipelines,
    private readonly starting: JobStarting,
    private readonly processing: PipelineProcessing,
  ) {
    super();
  }

  process({ jobId }: Readonly<{ jobId: number }>): Promise<void> {
    return this.transactions.run(async (tx) => {
      const known = await tx.findOne(Job, { where: { id: jobId }, select: { pipelineId: true } });
      const pipeline = known && (await this.pipelines.lockOrNull(tx, known.pipelineId));
      const job = pipeline && (await tx.findOneBy(Job, { id: jobId }));
      const isDue = job?.status === 'scheduled' && (job.scheduledAt?.getTime() ?? 0) <= Date.now();
      if (!pipeline || !isDue) return;
      await this.starting.start(tx, job);
      await this.processing.process(tx, pipeline);
    });
  }
}
