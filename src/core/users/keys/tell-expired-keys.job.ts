import { defineJob } from '#kernel/queue/job-definition.js';

/** Notifies users of expired SSH keys; every night. */
export const TellExpiredKeysJob = defineJob({
  name: 'keys.tell-expired',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '15 1 * * *', payload: {} },
});
