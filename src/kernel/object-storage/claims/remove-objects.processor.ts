import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { logger } from '#kernel/log/logger.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { DUE, RemoveObjectsJob } from './remove-objects.job.js';

const BATCH = 200;

/** Makes the claims due permanently, regardless of the clock: their objects cannot be kept while they are being removed. */
const TAKE = `with due as (
    select object_key, due_at from object_claims where ${DUE} and (due_at, object_key) > ($1, $2)
    order by due_at, object_key limit ${BATCH} for update skip locked),
  taken as (update object_claims claim set due_at = 'epoch' from due where claim.object_key = due.object_key)
  select object_key as key, due_at as "dueAt" from due order by due_at, object_key`;

const REMOVED = 'delete from object_claims where object_key = any($1)';

interface Claim {
  readonly key: string;
  readonly dueAt: Date;
}

/**
 * Removes the objects before their claims, so that a failure in between is retried. An object that cannot be removed
 * stays due, so that it cannot be kept, and is retried by the next run; this one continues after it. A slow store
 * holds no transaction, which would be ended before the claims are removed.
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
      last = await this.removeSome(last, signal);
    }
  }

  /** Returns the last one, or undefined if none was left. @throws if the store lets nothing be removed at all */
  private async removeSome({ key, dueAt }: Claim, signal: AbortSignal): Promise<Claim | undefined> {
    const due = await this.transactions.run((tx) => tx.query<Claim[]>(TAKE, [dueAt, key]));
    const keys = due.map((claim) => claim.key);
    const failed = await this.storage.deleteMany(keys, signal);
    const [first] = failed;
    if (first) {
      const [object, error] = first;
      logger.warn({ object, error, number: failed.size }, 'Objects could not be removed');
    }
    // So many that cannot be removed may lie in one folder that belongs to another user: they must not block the others.
    if (failed.size === BATCH) await this.storage.checkWritable();
    const removed = keys.filter((each) => !failed.has(each));
    await this.transactions.run((tx) => tx.query(REMOVED, [removed]));
    return due.at(-1);
  }
}
