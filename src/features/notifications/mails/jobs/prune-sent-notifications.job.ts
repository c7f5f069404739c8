import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes the rows of mails sent a year ago: their links become invalid. */
export const PruneSentNotificationsJob = defineJob({
  name: 'notifications.prune-sent',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '27 3 * * *', payload: {} },
});
