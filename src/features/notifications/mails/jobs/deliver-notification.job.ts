import { MAIL_JOB_TIMEOUT_MS } from '#kernel/mail/mail-transport.js';
import { defineJob } from '#kernel/queue/job-definition.js';

/**
 * Composes and sends a notification mail; its own queue keeps sign-in mails from waiting behind thousands of
 * these. Attempts are spread over two and a half hours, in which a mail server should recover.
 */
export const DeliverNotificationJob = defineJob<Readonly<{ sentNotificationId: number }>>({
  name: 'notifications.deliver',
  queue: 'notifications',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: MAIL_JOB_TIMEOUT_MS,
});
