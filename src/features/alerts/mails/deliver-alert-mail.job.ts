import { MAIL_JOB_TIMEOUT_MS } from '#kernel/mail/mail-transport.js';
import { defineJob } from '#kernel/queue/job-definition.js';

/** Alerts for a mail to a user, and the number of those that it does not list. */
export type AlertMailPayload = Readonly<{
  userId: number;
  projectId: number;
  alertIds: readonly number[];
  further: number;
  /** When the mail was requested, ISO 8601. */
  at: string;
}>;

/**
 * Composes and sends a mail about alerts. Attempts are spread over two and a half hours, in which a mail
 * server should recover.
 */
export const DeliverAlertMailJob = defineJob<AlertMailPayload>({
  name: 'notifications.deliver-alerts',
  queue: 'notifications',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: MAIL_JOB_TIMEOUT_MS,
});
