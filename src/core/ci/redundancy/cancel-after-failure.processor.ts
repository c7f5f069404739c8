import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Job } from '../jobs/job.entity.js';
import { PipelineActionsService } from '../pipelines/pipeline-actions.service.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { CancelAfterFailureJob } from './cancel-after-failure.job.js';

/** Cancels the rest of a pipeline after a failed job, unless a new job has replaced it. */
@Injectable()
export class CancelAfterFailureProcessor extends JobProcessor<
  Readonly<{ pipelineId: number; jobId: number }>
> {
  readonly job = CancelAfterFailureJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly actions: PipelineActionsService,
  ) {
    super();
  }

  process({ pipelineId, jobId }: Readonly<{ pipelineId: number; jobId: number }>): Promise<void> {
    return this.transactions.run(async (tx) => {
      const pipeline = await this.pipelines.lockOrNull(tx, pipelineId);
      const isCurrent = pipeline && (await tx.existsBy(Job, { id: jobId, retried: false }));
      if (isCurrent) await this.actions.cancelWithin(tx, pipeline);
    });
  }
}
