import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isFinished } from '../jobs/job-status.js';
import { JobStatusChanged } from '../processing/job-status-changed.event.js';
import { PipelineStatusChanged } from '../processing/pipeline-status-changed.event.js';
import { CancelPipelines } from '../redundancy/cancel-pipelines.job.js';
import { FollowChild } from './follow-child.job.js';
import { StartChild } from './start-child.job.js';

/** What happens between pipelines happens in jobs: nobody holds the locks of two pipelines but whoever makes the second. */
@Injectable()
export class BridgesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(JobStatusChanged, (event, tx) => this.start(event, tx));
    this.events.on(PipelineStatusChanged, (event, tx) => this.follow(event, tx));
  }

  private async start({ job }: JobStatusChanged, tx: Tx): Promise<void> {
    if (job.kind !== 'bridge') return;
    if (job.status === 'pending') await this.jobs.enqueue(tx, StartChild, { bridgeId: job.id });
    if (job.status === 'canceled')
      await this.jobs.enqueue(tx, CancelPipelines, { parentId: job.pipelineId, bridgeId: job.id });
  }

  private async follow({ pipeline, from }: PipelineStatusChanged, tx: Tx): Promise<void> {
    const { id: childId, bridgeId, parentId, status } = pipeline;
    const again = isFinished(from);
    if (bridgeId !== null && parentId !== null && (again || isFinished(status)))
      await this.jobs.enqueue(tx, FollowChild, { childId, bridgeId, parentId, again });
  }
}
