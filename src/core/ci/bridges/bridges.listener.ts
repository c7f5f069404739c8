import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isFinished } from '../jobs/job-status.js';
import { JobStatusChanged } from '../processing/events/job-status-changed.event.js';
import { PipelineStatusChanged } from '../processing/events/pipeline-status-changed.event.js';
import { CancelPipelinesJob } from '../redundancy/cancel-pipelines.job.js';
import { FollowChildJob } from './follow-child.job.js';
import { StartChildJob } from './start-child.job.js';

/**
 * In a pipeline that had finished, only jobs that a user has just started continue; jobs after their bridge run
 * for that user.
 */
const AGAIN = `select user_id as "userId" from ci_jobs where pipeline_id = $1 and not retried and user_id is not null
  and status not in ('success', 'failed', 'canceled', 'skipped', 'manual') order by updated_at desc, id desc limit 1`;

/**
 * Runs work between pipelines in queued jobs, so that no transaction locks two pipelines, except when it
 * creates the second.
 */
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
    if (job.status === 'pending') await this.jobs.enqueue(tx, StartChildJob, { bridgeId: job.id });
    if (job.status === 'canceled')
      await this.jobs.enqueue(tx, CancelPipelinesJob, { parentId: job.pipelineId, bridgeId: job.id });
  }

  private async follow({ pipeline, from }: PipelineStatusChanged, tx: Tx): Promise<void> {
    const { id: childId, bridgeId, parentId, status } = pipeline;
    if (bridgeId === null || parentId === null) return;
    if (isFinished(status)) return this.jobs.enqueue(tx, FollowChildJob, { childId, bridgeId, parentId });
    if (!isFinished(from)) return;
    const [again] = await tx.query<{ userId: number }[]>(AGAIN, [childId]);
    if (again) await this.jobs.enqueue(tx, FollowChildJob, { childId, bridgeId, parentId, ...again });
  }
}
