import { defineJob } from '#kernel/queue/job-definition.js';

/** Notifies of open issues that are due tomorrow, once a day (`planning.md` 2.3). */
export const NotifyDueIssuesJob = defineJob({
  name: 'notifications.due-issues',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 600_000,
  schedule: { cron: '50 0 * * *', payload: {} },
});
