import { Injectable } from '@nestjs/common';
import { removeInBatches } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { PruneExportsJob } from './prune-exports.job.js';

const OLD = { table: 'relation_exports', where: `updated_at < now() - interval '24 hours'` };

/** Removes old exports together with their files. */
@Injectable()
export class PruneExportsProcessor extends JobProcessor {
  readonly job = PruneExportsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    return removeInBatches(this.transactions, OLD, signal);
  }
}
