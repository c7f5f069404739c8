import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes exports that nobody has written or fetched for a day. */
export const PruneExportsJob = defineJob({
  name: 'relation-exports.prune',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '17 * * * *', payload: {} },
});
