import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes tokens and mailed links that have been unusable for a month, and expired sessions; every night. */
export const PruneTokensJob = defineJob({
  name: 'tokens.prune',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '17 3 * * *', payload: {} },
});
