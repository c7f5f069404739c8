import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes snippets whose creation was interrupted before their repository was written. */
export const PruneUnfinishedSnippetsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'snippets.prune_unfinished',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  schedule: { cron: '47 * * * *', payload: {} },
});
