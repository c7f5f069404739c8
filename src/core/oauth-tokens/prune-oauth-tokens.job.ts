import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes codes and OAuth tokens that have been unusable for a month; every night. */
export const PruneOauthTokensJob = defineJob({
  name: 'oauth.prune',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '37 3 * * *', payload: {} },
});
