import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes expired memberships, which no longer have an effect. */
export const PruneMembersJob = defineJob<Readonly<Record<string, never>>>({
  name: 'members.prune',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 10_000 },
  schedule: { cron: '10 0 * * *', payload: {} },
});
