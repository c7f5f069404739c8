import { Injectable } from '@nestjs/common';
import { removeInBatches } from '#kernel/database/remove-in-batches.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { PruneSentNotificationsJob } from './prune-sent-notifications.job.js';

const OLD = { table: 'sent_notifications', where: `created_at < now() - interval '1 year'` };

/** Removes the rows of old mails in batches. */
@Injectable()
export class PruneSentNotificationsProcessor extends JobProcessor {
  readonly job = PruneSentNotificationsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    return removeInBatches(this.transactions, OLD, signal);
  }
}
