import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes error events of more than 90 days ago, and errors of which nothing is left. */
export const PruneErrorEventsJob = defineJob({
  name: 'error-tracking.prune',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '53 */3 * * *', payload: {} },
});
