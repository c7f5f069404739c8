import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { mergeRequestRef } from '#core/ci/creation/resolve-pipeline-ref.js';
import { UnlockPipelinesJob } from '#core/ci/locking/unlock-pipelines.job.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { PipelineCreated } from '#core/ci/processing/events/pipeline-created.event.js';
import { PipelineRemoved } from '#core/ci/processing/pipeline-removed.event.js';
import { PipelineStatusChanged } from '#core/ci/processing/events/pipeline-status-changed.event.js';
import { MergeRequestChanged, type MergeRequestChange } from '../merge-request-changed.event.js';
import { CreateMergeRequestPipelineJob } from './create-merge-request-pipeline.job.js';
import { FollowHeadPipelineJob } from './follow-head-pipeline.job.js';

/**
 * Changes after which an earlier pipeline does not reflect the result of a merge; their actors are
 * responsible for the head.
 */
const WANTS_PIPELINE = new Set<MergeRequestChange>(['created', 'reopened', 'pushed', 'retargeted']);

const HEADED = 'select id from merge_requests where head_pipeline_id = $1 order by id';

const HEAD_PIPELINE = 'select head_pipeline_id as id from merge_requests where id = $1';

/** Enqueues pipelines for merge requests, and updates merge requests after pipelines. */
@Injectable()
export class MergeRequestPipelinesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(MergeRequestChanged, (event, tx) => this.follow(event, tx));
    this.events.on(PipelineCreated, ({ pipeline }, tx) => this.tell(tx, pipeline));
    this.events.on(ActivityHappened, async ({ action, target }, tx) => {
      if (action === 'auto_merge_set' && target) await this.lookAgain(tx, target.id);
    });
    this.events.on(PipelineStatusChanged, async ({ pipeline }, tx) => {
      if (pipeline.status === 'success' || pipeline.status === 'skipped') await this.tell(tx, pipeline);
    });
    this.events.on(PipelineRemoved, ({ pipeline }, tx) => this.replace(tx, pipeline));
  }

  private async follow({ mergeRequest, change, actorId }: MergeRequestChanged, tx: Tx): Promise<void> {
    const { id: mergeRequestId, headSha: sha, projectId, iid } = mergeRequest;
    if (WANTS_PIPELINE.has(change) && sha !== null && actorId !== null)
      await this.jobs.enqueue(tx, CreateMergeRequestPipelineJob, {
        mergeRequestId,
        sha,
        userId: actorId,
        again: change === 'retargeted',
      });
    // Its branches are no longer needed.
    if (change === 'merged' || change === 'closed')
      await this.jobs.enqueue(tx, UnlockPipelinesJob, {
        projectId,
        ref: mergeRequestRef(iid),
        tag: false,
        ofMergeRequest: true,
      });
  }

  /** The pipeline may have finished just before auto-merge was enabled. */
  private async lookAgain(tx: Tx, mergeRequestId: number): Promise<void> {
    const [row] = await tx.query<{ id: number | null }[]>(HEAD_PIPELINE, [mergeRequestId]);
    if (row?.id) await this.jobs.enqueue(tx, FollowHeadPipelineJob, { pipelineId: row.id });
  }

  /** An older pipeline of the same commit becomes the head pipeline again. */
  private async replace(tx: Tx, { id: pipelineId }: Pipeline): Promise<void> {
    const rows = await tx.query<{ id: number }[]>(HEADED, [pipelineId]);
    const headed = rows.map(({ id }) => id);
    if (headed.length > 0) await this.jobs.enqueue(tx, FollowHeadPipelineJob, { pipelineId, headed });
  }

  /** The job looks for merge requests later, so that one being created at the moment is found. */
  private async tell(tx: Tx, { id: pipelineId, tag, parentId }: Pipeline): Promise<void> {
    if (!tag && parentId === null) await this.jobs.enqueue(tx, FollowHeadPipelineJob, { pipelineId });
  }
}
