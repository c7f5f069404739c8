import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';

/** Minimum interval between two writes of a runner's contact time. */
const SECONDS = 40;

const TOUCH_JOB = `with seen as (update ci_jobs set runner_seen_at = now() where id = $1 and status = 'running')
  update ci_runners set contacted_at = now()
  where id = $2 and (contacted_at is null or contacted_at < now() - interval '${String(SECONDS)} seconds')`;

/** Records when runners last made a request, rarely enough that many idle runners cost little. */
@Injectable()
export class RunnerContactsService {
  constructor(private readonly transactions: Transactions) {}

  /** Records a request of the runner of a running job. */
  async ofJob(job: {
    readonly id: number;
    readonly runnerId: number | null;
    readonly seenSecondsAgo: number | null;
  }): Promise<void> {
    if (job.seenSecondsAgo !== null && job.seenSecondsAgo < SECONDS) return;
    await this.transactions.run((tx) => tx.query(TOUCH_JOB, [job.id, job.runnerId]));
  }
}
