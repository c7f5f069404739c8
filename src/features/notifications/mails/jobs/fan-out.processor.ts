import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { Delivery } from '../../recipients/notifiable-event.js';
import { RecipientsService } from '../../recipients/recipients.service.js';
import { addNotificationsSql } from './add-notifications.sql.js';
import { DeliverNotificationJob } from './deliver-notification.job.js';
import { FanOutNotificationJob, type FanOutPayload } from './fan-out.job.js';

/** Recipients per transaction, whose mails go together. */
const BATCH = 100;
/**
 * Time between the batches of one event: mails go in order of their time, so that those of an event with
 * thousands of recipients would delay all others.
 */
const PAUSE_MS = 5_000;

/** Creates a notification for each recipient of an event; a repeated run adds no recipient twice. */
@Injectable()
export class FanOutProcessor extends JobProcessor<FanOutPayload> {
  readonly job = FanOutNotificationJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly recipients: RecipientsService,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(payload: FanOutPayload): Promise<void> {
    const deliveries = await this.recipients.recipientsFor(payload.event);
    for (let at = 0; at < deliveries.length; at += BATCH)
      await this.want(payload, deliveries.slice(at, at + BATCH), (at / BATCH) * PAUSE_MS);
  }

  private want(
    { eventId, event }: FanOutPayload,
    deliveries: readonly Delivery[],
    delayMs: number,
  ): Promise<void> {
    const { target, projectId, groupId } = event;
    const rows = deliveries.map(({ userId, reason }) => ({
      key: randomBytes(16).toString('hex'),
      user_id: userId,
      reason,
    }));
    return this.transactions.run(async (tx) => {
      const values = [eventId, event, target.type, target.id, projectId, groupId, JSON.stringify(rows)];
      const added = await tx.query<{ id: number }[]>(addNotificationsSql(projectId !== null), values);
      const payloads = added.map(({ id }) => ({ sentNotificationId: id }));
      await this.jobs.enqueueAll(tx, DeliverNotificationJob, payloads, { delayMs });
    });
  }
}
