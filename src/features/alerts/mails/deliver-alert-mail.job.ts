import { defineJob } from '#kernel/queue/job-definition.js';

/** Alerts to tell one user of, and how many there are that the mail does not name. */
export type AlertMailPayload = Readonly<{
  userId: number;
  projectId: number;
  alertIds: readonly number[];
  further: number;
  /** When the mail was wanted, ISO 8601. */
  at: string;
}>;

/** Writes and sends one mail that tells of alerts. Attempts spread over two and a half hours, in which a mail server should be back. */
export const DeliverAlertMailJob = defineJob<AlertMailPayload>({
  name: 'notifications.deliver-alerts',
  queue: 'notifications',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 5_000 },
  timeoutMs: 60_000,
});
