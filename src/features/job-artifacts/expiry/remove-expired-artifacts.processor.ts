import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { EXPIRED, RemoveExpiredArtifactsJob } from './remove-expired-artifacts.job.js';

const BATCH = 500;

/** Skips locked rows until the next run. */
const NEXT = `select id, expire_at from ci_job_artifacts where ${EXPIRED} and (expire_at, id) > ($1, $2)
  order by expire_at, id limit ${BATCH} for update skip locked`;

interface Cursor {
  readonly id: number;
  readonly expire_at: Date;
}

/** Removes rows in batches; their objects are removed automatically. */
@Injectable()
export class RemoveExpiredArtifactsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = RemoveExpiredArtifactsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (let last: Cursor | undefined = { id: 0, expire_at: new Date(0) }; last;) {
      signal.throwIfAborted();
      last = await this.removeSome(last);
    }
  }

  /** Returns the last row of the batch, or undefined if none was left. */
  private removeSome({ id, expire_at: expireAt }: Cursor): Promise<Cursor | undefined> {
    return this.transactions.run(async (tx) => {
      const due = await tx.query<Cursor[]>(NEXT, [expireAt, id]);
      await tx.query('delete from ci_job_artifacts where id = any($1)', [due.map((row) => row.id)]);
      return due.at(-1);
    });
  }
}
