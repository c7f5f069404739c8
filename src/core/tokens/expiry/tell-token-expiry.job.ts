import { defineJob } from '#kernel/queue/job-definition.js';

/** Tells people which of their personal access tokens will expire within a week, and which have; every night. */
export const TellTokenExpiryJob = defineJob({
  name: 'tokens.tell-expiry',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '5 1 * * *', payload: {} },
});
