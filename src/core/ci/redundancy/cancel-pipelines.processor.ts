import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PipelineActionsService } from '../pipelines/pipeline-actions.service.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { CancelPipelinesJob, type CanceledPipelines } from './cancel-pipelines.job.js';

const CHILDREN = `select id from ci_pipelines where parent_id = $1 and ($2::bigint is null or bridge_id = $2)
  and status not in ('success', 'failed', 'canceled', 'skipped') order by id`;

/** Cancels each in its own transaction, so that no transaction locks two pipelines. */
@Injectable()
export class CancelPipelinesProcessor extends JobProcessor<CanceledPipelines> {
  readonly job = CancelPipelinesJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly actions: PipelineActionsService,
  ) {
    super();
  }

  async process(
    { parentId, bridgeId, onlyInterruptible }: CanceledPipelines,
    { signal }: JobContext,
  ): Promise<void> {
    const children = await this.transactions.run((tx) =>
      tx.query<{ id: number }[]>(CHILDREN, [parentId, bridgeId ?? null]),
    );
    for (const { id } of children) {
      signal.throwIfAborted();
      await this.transactions.run(async (tx) => {
        const child = await this.pipelines.lockOrNull(tx, id);
        if (child) await this.actions.cancelWithin(tx, child, onlyInterruptible);
      });
    }
  }
}
