import { defineJob } from '#kernel/queue/job-definition.js';

/**
 * Removes bots whose tokens are all revoked or pruned, or whose project or group was removed; runs after the
 * pruning of tokens.
 */
export const PruneBotsJob = defineJob({
  name: 'tokens.prune_bots',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '47 3 * * *', payload: {} },
});
