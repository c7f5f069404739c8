import { defineJob } from '#kernel/queue/job-definition.js';
import type { NotifiableEvent } from '../../recipients/notifiable-event.js';

/** An event with possible notifications. A repeated run finds the existing ones by `eventId`. */
export type FanOutPayload = Readonly<{ eventId: string; event: NotifiableEvent }>;

/** Determines the recipients of an event, and enqueues a mail for each. */
export const FanOutNotificationJob = defineJob<FanOutPayload>({
  name: 'notifications.fan-out',
  queue: 'notifications',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 120_000,
});
