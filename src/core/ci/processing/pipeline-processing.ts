import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Job } from '../jobs/job.entity.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { compositeStatus } from './composite-status.js';
import { PipelineStatusChanged } from './pipeline-status-changed.event.js';

/** Brings a pipeline forward: what may run now gets pending, what cannot run any more is skipped, and the whole gets its status. */
@Injectable()
export class PipelineProcessing {
  constructor(private readonly events: DomainEvents) {}

  /** Call it after any change of jobs, in the same transaction, with the pipeline locked. */
  async process(tx: Tx, pipeline: Pipeline): Promise<void> {
    const jobs = await tx.findBy(Job, { pipelineId: pipeline.id, retried: false });
    const status = compositeStatus(jobs);
    if (status === pipeline.status) return;
    const from = pipeline.status;
    pipeline.status = status;
    await tx.save(Pipeline, pipeline, { reload: false });
    await this.events.publish(tx, new PipelineStatusChanged(pipeline, from));
  }
}
