import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { Delivery } from '../../recipients/notifiable-event.js';
import { RecipientsService } from '../../recipients/recipients.service.js';
import { DeliverNotificationJob } from './deliver-notification.job.js';
import { FanOutNotificationJob, type FanOutPayload } from './fan-out.job.js';

/** Rows per transaction. */
const BATCH = 500;

/** Limit of mails to a user about a project or group per day: more indicates a malfunction. */
const DAILY_LIMIT = 1_000;

const ADD = `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, reason, target_type, target_id, project_id, group_id)
  select given.key, $1, $2, given.user_id, given.reason, $3, $4, $5, $6
  from jsonb_to_recordset($7::jsonb) given(key text, user_id bigint, reason text)
  where (select count(*) from (select 1 from sent_notifications s where s.user_id = given.user_id and s.project_id is not distinct from $5
    and ($5::bigint is not null or s.group_id = $6) and s.created_at > now() - interval '24 hours' limit ${DAILY_LIMIT}) today) < ${DAILY_LIMIT}
  on conflict (event_id, user_id) do nothing returning id`;

/** Creates a notification for each recipient of an event; a repeated run adds nobody twice. */
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
      await this.want(payload, deliveries.slice(at, at + BATCH));
  }

  private want({ eventId, event }: FanOutPayload, deliveries: readonly Delivery[]): Promise<void> {
    const { target, projectId, groupId } = event;
    const rows = deliveries.map(({ userId, reason }) => ({
      key: randomBytes(16).toString('hex'),
      user_id: userId,
      reason,
    }));
    return this.transactions.run(async (tx) => {
      const values = [eventId, event, target.type, target.id, projectId, groupId, JSON.stringify(rows)];
      const added = await tx.query<{ id: number }[]>(ADD, values);
      const payloads = added.map(({ id }) => ({ sentNotificationId: id }));
      await this.jobs.enqueueAll(tx, DeliverNotificationJob, payloads);
    });
  }
}
