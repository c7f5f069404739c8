import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RemoveObjects } from './remove-objects.job.js';

const BATCH = 200;

const DUE = `select object_key from object_claims where due_at <= now() order by due_at limit ${BATCH} for update skip locked`;

/** Removes the objects first, then their claims: whatever fails in between is done again. */
@Injectable()
export class RemoveObjectsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = RemoveObjects;

  constructor(
    private readonly transactions: Transactions,
    private readonly storage: ObjectStorage,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    while ((await this.removeSome()) === BATCH) signal.throwIfAborted();
  }

  private removeSome(): Promise<number> {
    return this.transactions.run(async (tx) => {
      const due = await tx.query<{ object_key: string }[]>(DUE);
      const keys = due.map((row) => row.object_key);
      await this.storage.deleteMany(keys);
      await tx.query('delete from object_claims where object_key = any($1)', [keys]);
      return keys.length;
    });
  }
}
