import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { FreeResource, type ResourceGroup } from '../resources/free-resource.job.js';
import { LostJobs } from './lost-jobs.js';
import { StartDelayed } from './start-delayed.job.js';
import { WatchJobs } from './watch-jobs.job.js';

/** Longer ago than any queue keeps a job waiting. */
const OVERDUE = `select id as "jobId" from ci_jobs where status = 'scheduled' and scheduled_at < now() - interval '1 minute'
  order by scheduled_at limit 500`;

const FREE = `select distinct w.project_id as "projectId", w.resource_group as "group" from ci_jobs w
  where w.resource_group is not null and w.status = 'waiting_for_resource'
    and not exists (select 1 from ci_jobs h where h.project_id = w.project_id and h.resource_group = w.resource_group
      and h.status in ('preparing', 'pending', 'running')) limit 500`;

/** What should have happened by itself is asked for once more: jobs of the queue can be lost for good when they fail too often. */
@Injectable()
export class WatchJobsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = WatchJobs;

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly lost: LostJobs,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    await this.lost.end(signal);
    await this.transactions.run(async (tx) => {
      await this.jobs.enqueueAll(tx, StartDelayed, await tx.query<{ jobId: number }[]>(OVERDUE));
      await this.jobs.enqueueAll(tx, FreeResource, await tx.query<ResourceGroup[]>(FREE));
    });
  }
}
