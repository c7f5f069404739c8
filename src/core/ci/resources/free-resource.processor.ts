import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Job } from '../jobs/job.entity.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { JobStartingService } from '../processing/job-starting.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { ResourceGroupsService } from '../processing/resource-groups.service.js';
import { FreeResourceJob, type ResourceGroup } from './free-resource.job.js';

/** A job that a gate rejects leaves the resource to the next one. */
@Injectable()
export class FreeResourceProcessor extends JobProcessor<ResourceGroup> {
  readonly job = FreeResourceJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly groups: ResourceGroupsService,
    private readonly pipelines: PipelinesService,
    private readonly starting: JobStartingService,
    private readonly processing: ProcessPipeline,
  ) {
    super();
  }

  async process(resource: ResourceGroup, { signal }: JobContext): Promise<void> {
    while (await this.handOn(resource)) signal.throwIfAborted();
  }

  /** Returns whether the next waiting job may get the resource instead. */
  private handOn({ projectId, group }: ResourceGroup): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const id = await this.groups.firstWaiting(tx, projectId, group);
      if (id === null) return false;
      const { pipelineId } = await tx.findOneByOrFail(Job, { id });
      const pipeline = await this.pipelines.lockOrNull(tx, pipelineId);
      const job = await tx.findOneBy(Job, { id });
      if (!pipeline || !job || !isWaiting(job)) return true;
      await this.starting.start(tx, job);
      await this.processing.process(tx, pipeline);
      return job.status !== 'pending' && !isWaiting(job);
    });
  }
}

const isWaiting = ({ status }: Job): boolean => status === 'waiting_for_resource';
