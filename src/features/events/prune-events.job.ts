import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes activity events older than three years. */
export const PruneEventsJob = defineJob({
  name: 'events.prune',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '41 */6 * * *', payload: {} },
});
