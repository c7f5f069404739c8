import { defineJob } from '#kernel/queue/job-definition.js';

/** Writes and sends one mail that tells of something; mails by which people sign in do not wait behind thousands of these. Attempts spread over two and a half hours, in which a mail server should be back. */
export const DeliverNotificationJob = defineJob<Readonly<{ sentNotificationId: number }>>({
  name: 'notifications.deliver',
  queue: 'notifications',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 60_000,
});
