import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { JobDefinition } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { FollowChildJob, type Followed } from '../bridges/follow-child.job.js';
import { StartChildJob } from '../bridges/start-child.job.js';
import { FreeResourceJob, type ResourceGroup } from '../resources/free-resource.job.js';
import { ArchiveTraceJob } from '../traces/archive-trace.job.js';
import { LostJobsService } from './lost-jobs.service.js';
import { StartDelayedJob } from './start-delayed.job.js';
import { WatchJobsJob } from './watch-jobs.job.js';

/** Longer than any queue delays a job. */
const OVERDUE = `select id as "jobId" from ci_jobs where status = 'scheduled' and scheduled_at < now() - interval '1 minute'
  order by scheduled_at limit 500`;

const FREE = `select distinct w.project_id as "projectId", w.resource_group as "group" from ci_jobs w
  where w.resource_group is not null and w.status = 'waiting_for_resource'
    and not exists (select 1 from ci_jobs h where h.project_id = w.project_id and h.resource_group = w.resource_group
      and h.status in ('preparing', 'pending', 'running')) limit 500`;

/** Pending bridges whose child has finished or was removed: no pipeline has the id 0. */
const UNFOLLOWED = `select coalesce(c.id, 0) as "childId", b.id as "bridgeId", b.pipeline_id as "parentId"
  from ci_jobs b left join ci_pipelines c on c.bridge_id = b.id
  where b.kind = 'bridge' and b.status = 'running' and coalesce(c.updated_at, b.updated_at) < now() - interval '1 minute'
    and (c.id is null or c.status in ('success', 'failed', 'canceled', 'skipped')) order by b.id limit 500`;

/** Longer than all attempts to start a child take. */
const CHILDLESS = `select id as "bridgeId" from ci_jobs where kind = 'bridge' and status = 'pending'
  and updated_at < now() - interval '5 minutes' order by id limit 500`;

/**
 * Jobs whose traces are overdue for archiving. The query steps from job to job over the primary key of the
 * chunks instead of reading every chunk; a random choice keeps jobs that always fail from blocking the
 * others.
 */
const UNARCHIVED = `with recursive told(id) as (
    select min(job_id) from ci_trace_chunks
    union all select (select min(c.job_id) from ci_trace_chunks c where c.job_id > told.id) from told where told.id is not null)
  select id as "jobId" from (
    select j.id from told join ci_jobs j on j.id = told.id
    where j.status in ('success', 'failed', 'canceled') and j.erased_at is null and j.finished_at < now() - interval '1 hour'
    order by random() limit 100) overdue order by id`;

/** Requests overdue work again, because queued jobs are lost for good if they fail too often. */
@Injectable()
export class WatchJobsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = WatchJobsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly lost: LostJobsService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    await this.lost.end(signal);
    await this.transactions.run(async (tx) => {
      await this.jobs.enqueueAll(tx, StartDelayedJob, await tx.query<{ jobId: number }[]>(OVERDUE));
      await this.jobs.enqueueAll(tx, FreeResourceJob, await tx.query<ResourceGroup[]>(FREE));
      await this.askAgain(tx, FollowChildJob, await tx.query<Followed[]>(UNFOLLOWED));
      await this.askAgain(tx, StartChildJob, await tx.query<{ bridgeId: number }[]>(CHILDLESS));
      for (const trace of await tx.query<{ jobId: number }[]>(UNARCHIVED)) {
        await this.jobs.enqueue(tx, ArchiveTraceJob, trace);
      }
    });
  }

  /** Requests the work at most once until it is done, even if it keeps failing. */
  private async askAgain<Payload extends Readonly<{ bridgeId: number }>>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payloads: readonly Payload[],
  ): Promise<void> {
    for (const payload of payloads)
      await this.jobs.enqueue(tx, job, payload, { dedupeKey: String(payload.bridgeId) });
  }
}
