import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes expired shares, which no longer have an effect. */
export const PruneGroupLinksJob = defineJob<Readonly<Record<string, never>>>({
  name: 'group-links.prune',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 10_000 },
  schedule: { cron: '20 0 * * *', payload: {} },
});
