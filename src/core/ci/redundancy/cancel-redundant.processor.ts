import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PipelineActionsService } from '../pipelines/pipeline-actions.service.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { CancelRedundantJob } from './cancel-redundant.job.js';

/** SQL condition: a job that must not be interrupted has started, in this pipeline or a descendant. */
const HOLDS = `exists (select 1 from ci_jobs j where j.pipeline_id = o.id and j.kind <> 'status' and not j.interruptible
    and j.status in ('running', 'success', 'failed'))
  or exists (select 1 from ci_pipelines c join ci_jobs j on j.pipeline_id = c.id where c.parent_id = o.id and not j.interruptible
    and j.status in ('running', 'success', 'failed'))`;

/** Unfinished older pipelines of the branch for another commit that may be canceled. */
const REDUNDANT = `select o.id from ci_pipelines n join ci_pipelines o on o.project_id = n.project_id and o.ref = n.ref and o.id < n.id
    and not o.tag and o.sha <> n.sha and o.parent_id is null and o.source <> 'external'
    and o.status in ('created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled', 'manual')
  where n.id = $1 and ($2::bigint is null or o.id = $2) and not (${HOLDS}) order by o.id`;

/** Checks each pipeline again under its lock, because a job may have started. */
@Injectable()
export class CancelRedundantProcessor extends JobProcessor<Readonly<{ pipelineId: number }>> {
  readonly job = CancelRedundantJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly actions: PipelineActionsService,
  ) {
    super();
  }

  async process({ pipelineId }: Readonly<{ pipelineId: number }>, { signal }: JobContext): Promise<void> {
    const found = await this.transactions.run((tx) =>
      tx.query<{ id: number }[]>(REDUNDANT, [pipelineId, null]),
    );
    for (const { id } of found) {
      signal.throwIfAborted();
      await this.transactions.run(async (tx) => {
        const pipeline = await this.pipelines.lockOrNull(tx, id);
        const still = await tx.query<unknown[]>(REDUNDANT, [pipelineId, id]);
        if (pipeline && still.length > 0) await this.actions.cancelWithin(tx, pipeline);
      });
    }
  }
}
