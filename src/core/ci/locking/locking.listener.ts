import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isMergeRequestRef } from '../creation/resolve-pipeline-ref.js';
import { PipelineStatusChanged } from '../processing/events/pipeline-status-changed.event.js';
import { UnlockPipelinesJob } from './unlock-pipelines.job.js';

/** When a pipeline succeeds, unlocks the artifacts of earlier pipelines on its ref. */
@Injectable()
export class LockingListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(PipelineStatusChanged, async ({ pipeline }, tx) => {
      if (pipeline.status !== 'success' || pipeline.parentId !== null) return;
      const { projectId, ref, tag, id, mergeRequestId } = pipeline;
      const ofMergeRequest = mergeRequestId !== null && isMergeRequestRef(ref);
      await this.jobs.enqueue(tx, UnlockPipelinesJob, { projectId, ref, tag, ofMergeRequest, beforeId: id });
    });
  }
}
