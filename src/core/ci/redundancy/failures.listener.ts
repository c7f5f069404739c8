import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { JobStatusChanged } from '../processing/events/job-status-changed.event.js';
import { CancelAfterFailureJob } from './cancel-after-failure.job.js';

/** Notices failed jobs of pipelines that are to be canceled then. */
@Injectable()
export class FailuresListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(JobStatusChanged, async ({ job }, tx) => {
      const { id: jobId, pipelineId, kind, status, allowFailure } = job;
      if (status !== 'failed' || allowFailure || kind === 'status') return;
      // Later, under the lock of the pipeline: the failed job may be retried automatically.
      if (await tx.existsBy(Pipeline, { id: pipelineId, cancelOnJobFailure: 'all' }))
        await this.jobs.enqueue(tx, CancelAfterFailureJob, { pipelineId, jobId });
    });
  }
}
