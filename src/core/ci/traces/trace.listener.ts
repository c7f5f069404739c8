import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isFinished } from '../jobs/job-status.js';
import { JobStatusChanged } from '../processing/events/job-status-changed.event.js';
import { ArchiveTraceJob } from './archive-trace.job.js';

/** Archives the traces of jobs that have run and finished. */
@Injectable()
export class TraceListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(JobStatusChanged, async ({ job, from }, tx) => {
      if (job.kind !== 'build' || from !== 'running' || !isFinished(job.status)) return;
      await this.jobs.enqueue(tx, ArchiveTraceJob, { jobId: job.id });
    });
  }
}
