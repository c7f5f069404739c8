import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RemoveExpiredArtifacts } from './remove-expired-artifacts.job.js';

const BATCH = 500;

/** Those of locked pipelines are passed over by the index. Rows that somebody is working on come next time; a pipeline cannot become the latest success while its artifacts go. */
const NEXT = `select a.id, a.expire_at from ci_job_artifacts a join ci_jobs j on j.id = a.job_id join ci_pipelines p on p.id = j.pipeline_id
  where a.expire_at <= now() and (a.expire_at, a.id) > ($1, $2) and not a.kept and not a.locked and not p.locked
  order by a.expire_at, a.id limit ${BATCH} for update of a skip locked for share of p skip locked`;

interface Place {
  readonly id: number;
  readonly expire_at: Date;
}

/** Removes rows in batches; their objects follow by themselves. */
@Injectable()
export class RemoveExpiredArtifactsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = RemoveExpiredArtifacts;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (let last: Place | undefined = { id: 0, expire_at: new Date(0) }; last;) {
      signal.throwIfAborted();
      last = await this.removeSome(last);
    }
  }

  /** Returns the last one, or undefined when none was left. */
  private removeSome({ id, expire_at: expireAt }: Place): Promise<Place | undefined> {
    return this.transactions.run(async (tx) => {
      const due = await tx.query<Place[]>(NEXT, [expireAt, id]);
      await tx.query('delete from ci_job_artifacts where id = any($1)', [due.map((row) => row.id)]);
      return due.at(-1);
    });
  }
}
