import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StartDelayedJob } from './start-delayed.job.js';

const WAITING = `select id as "jobId" from ci_jobs
  where status = 'scheduled' and project_id = $1 and waiting_reason is not null order by id`;

/** Jobs that are due but delayed by a gate. */
@Injectable()
export class WaitingJobsService {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Rechecks the gates of the delayed jobs of a project, in the transaction that changes what they wait for.
   */
  async askAgain(tx: Tx, projectId: number): Promise<void> {
    await this.jobs.enqueueAll(
      tx,
      StartDelayedJob,
      await tx.query<{ jobId: number }[]>(WAITING, [projectId]),
    );
  }
}
