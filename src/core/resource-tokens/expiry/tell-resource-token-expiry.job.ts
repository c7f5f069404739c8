import { defineJob } from '#kernel/queue/job-definition.js';

/**
 * Notifies managers of projects and groups of access tokens that expire within a week or have expired; every
 * night.
 */
export const TellResourceTokenExpiryJob = defineJob({
  name: 'resource-tokens.tell-expiry',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '10 1 * * *', payload: {} },
});
