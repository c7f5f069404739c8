import { defineJob } from '#kernel/queue/job-definition.js';

/** Notifies users of personal access tokens that expire within a week or have expired; every night. */
export const TellTokenExpiryJob = defineJob({
  name: 'tokens.tell-expiry',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '5 1 * * *', payload: {} },
});
