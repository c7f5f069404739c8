import { defineJob } from '#kernel/queue/job-definition.js';

/** Notifies users of memberships that end within a week; every night. */
export const TellMemberExpiryJob = defineJob({
  name: 'members.tell-expiry',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '25 1 * * *', payload: {} },
});
