import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Job } from '../jobs/job.entity.js';
import { isFinished } from '../jobs/job-status.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { Pipelines } from '../pipelines/pipelines.service.js';
import { JobTransitions } from '../processing/job-transitions.js';
import { PipelineProcessing } from '../processing/pipeline-processing.js';
import { FollowChild, type Followed } from './follow-child.job.js';

/** A bridge that does not depend on its child is done already, and stays as it is. */
@Injectable()
export class FollowChildProcessor extends JobProcessor<Followed> {
  readonly job = FollowChild;

  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: Pipelines,
    private readonly transitions: JobTransitions,
    private readonly processing: PipelineProcessing,
  ) {
    super();
  }

  process({ childId, bridgeId, parentId }: Followed): Promise<void> {
    return this.transactions.run(async (tx) => {
      const parent = await this.pipelines.lockOrNull(tx, parentId);
      const bridge = await tx.findOneBy(Job, { id: bridgeId });
      if (!parent || bridge?.status !== 'running') return;
      // As it is now: it may have been run again since, and will tell then. One that is gone tells nothing any more.
      const child = await tx.findOneBy(Pipeline, { id: childId });
      if (child && !isFinished(child.status)) return;
      if (child?.status === 'success') await this.transitions.move(tx, bridge, 'success');
      else if (child?.status === 'canceled') await this.transitions.move(tx, bridge, 'canceled');
      else await this.transitions.move(tx, bridge, 'failed', { failureReason: 'unknown_failure' });
      await this.processing.process(tx, parent);
    });
  }
}
