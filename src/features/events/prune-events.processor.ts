import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { PruneEventsJob } from './prune-events.job.js';

/** Rows of one transaction. */
export const PRUNED_AT_ONCE = 10_000;

const DELETE = `delete from events where id = any(array(select id from events
  where created_at < now() - interval '3 years 1 day' limit ${PRUNED_AT_ONCE} for update skip locked))`;

/** Deletes old events in batches. */
@Injectable()
export class PruneEventsProcessor extends JobProcessor {
  readonly job = PruneEventsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    let deleted = PRUNED_AT_ONCE;
    while (deleted === PRUNED_AT_ONCE) {
      signal.throwIfAborted();
      deleted = await this.transactions.run(async (tx) => (await tx.query<[unknown[], number]>(DELETE))[1]);
    }
  }
}
