import { defineJob } from '#kernel/queue/job-definition.js';

/** Tells those who manage projects and groups which of their access tokens will expire within a week, and which have; every night. */
export const TellResourceTokenExpiryJob = defineJob({
  name: 'resource-tokens.tell-expiry',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '10 1 * * *', payload: {} },
});
