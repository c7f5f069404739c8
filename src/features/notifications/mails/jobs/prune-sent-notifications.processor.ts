import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { PruneSentNotificationsJob } from './prune-sent-notifications.job.js';

/** Rows of one transaction. */
const BATCH = 1_000;

const DELETE = `delete from sent_notifications where id in (
  select id from sent_notifications where created_at < now() - interval '1 year' order by created_at limit ${BATCH})`;

/** Deletes what is known of old mails, in batches. */
@Injectable()
export class PruneSentNotificationsProcessor extends JobProcessor {
  readonly job = PruneSentNotificationsJob;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    let deleted = BATCH;
    while (deleted === BATCH) {
      signal.throwIfAborted();
      deleted = await this.transactions.run(async (tx) => (await tx.query<[unknown[], number]>(DELETE))[1]);
    }
  }
}
