import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StartDelayedJob } from './start-delayed.job.js';

const WAITING = `select id as "jobId" from ci_jobs
  where status = 'scheduled' and project_id = $1 and waiting_reason is not null order by id`;

/** Jobs whose turn has come, but that a gate lets wait for a time. */
@Injectable()
export class WaitingJobsService {
  constructor(private readonly jobs: Jobs) {}

  /** Has the gates asked again for those of a project, after what they wait for has changed: in the transaction that changes it. */
  async askAgain(tx: Tx, projectId: number): Promise<void> {
    await this.jobs.enqueueAll(
      tx,
      StartDelayedJob,
      await tx.query<{ jobId: number }[]>(WAITING, [projectId]),
    );
  }
}
