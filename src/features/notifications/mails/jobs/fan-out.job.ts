import { defineJob } from '#kernel/queue/job-definition.js';
import type { NotifiableEvent } from '../../recipients/notifiable-event.js';

/** Something happened that mails may tell of. Whoever runs it again finds the mails that are there already by `eventId`. */
export type FanOutPayload = Readonly<{ eventId: string; event: NotifiableEvent }>;

/** Works out who is written of an event, and wants a mail for each of them. */
export const FanOutNotificationJob = defineJob<FanOutPayload>({
  name: 'notifications.fan-out',
  queue: 'notifications',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 120_000,
});
