import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes exports that were neither written nor downloaded for a day. */
export const PruneExportsJob = defineJob({
  name: 'relation-exports.prune',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  schedule: { cron: '17 * * * *', payload: {} },
});
