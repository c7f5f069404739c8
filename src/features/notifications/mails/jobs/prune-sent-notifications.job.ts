import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes what is known of mails that were sent a year ago: their links end. */
export const PruneSentNotificationsJob = defineJob({
  name: 'notifications.prune-sent',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '27 3 * * *', payload: {} },
});
