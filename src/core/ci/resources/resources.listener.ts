import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { CiStatus } from '../jobs/job-status.js';
import { JobStatusChanged } from '../processing/events/job-status-changed.event.js';
import { FreeResourceJob } from './free-resource.job.js';

const HOLDING: readonly CiStatus[] = ['preparing', 'pending', 'running'];

/** Notices when a job releases its resource. */
@Injectable()
export class ResourcesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(JobStatusChanged, async ({ job, from }, tx) => {
      if (job.resourceGroup === null || !HOLDING.includes(from) || HOLDING.includes(job.status)) return;
      await this.jobs.enqueue(tx, FreeResourceJob, { projectId: job.projectId, group: job.resourceGroup });
    });
  }
}
