import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { DUE, RemoveObjectsJob } from './remove-objects.job.js';

const BATCH = 200;

const NEXT = `select object_key as key, due_at as "dueAt" from object_claims where ${DUE} and (due_at, object_key) > ($1, $2)
  order by due_at, object_key limit ${BATCH} for update skip locked`;

interface Claim {
  readonly key: string;
  readonly dueAt: Date;
}

/**
 * Removes the objects before their claims, so that a failure in between is retried. What cannot be removed
 * stays due, so that nobody can keep it, and is retried by the next run; this one continues after it.
 */
@Injectable()
export class RemoveObjectsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = RemoveObjectsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly storage: ObjectStorage,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (let last: Claim | undefined = { key: '', dueAt: new Date(0) }; last;) {
      signal.throwIfAborted();
      last = await this.removeSome(last);
    }
  }

  /** Returns the last one, or undefined if none was left. @throws if nothing can be removed at all */
  private removeSome({ key, dueAt }: Claim): Promise<Claim | undefined> {
    return this.transactions.run(async (tx) => {
      const due = await tx.query<Claim[]>(NEXT, [dueAt, key]);
      const keys = due.map((claim) => claim.key);
      const failed = await this.storage.deleteMany(keys);
      for (const [object, error] of failed) logger.warn({ object, error }, 'An object could not be removed');
      if (failed.size === BATCH) throw new Error('No object can be removed');
      await tx.query('delete from object_claims where object_key = any($1)', [
        keys.filter((each) => !failed.has(each)),
      ]);
      return due.at(-1);
    });
  }
}
