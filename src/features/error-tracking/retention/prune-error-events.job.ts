import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes error events older than 90 days, and errors without events. */
export const PruneErrorEventsJob = defineJob({
  name: 'error-tracking.prune',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '53 */3 * * *', payload: {} },
});
