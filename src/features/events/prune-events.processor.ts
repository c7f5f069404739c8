import { Injectable } from '@nestjs/common';
import { removeInBatches } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { PruneEventsJob } from './prune-events.job.js';

/** Rows per transaction. */
export const PRUNED_AT_ONCE = 10_000;

const OLD = {
  table: 'events',
  where: `created_at < now() - interval '3 years 1 day'`,
  atOnce: PRUNED_AT_ONCE,
};

/** Removes old events in batches. */
@Injectable()
export class PruneEventsProcessor extends JobProcessor {
  readonly job = PruneEventsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    return removeInBatches(this.transactions, OLD, signal);
  }
}
