import { defineJob } from '#kernel/queue/job-definition.js';

/** Replaces the key of id_tokens when it has signed long enough, and removes those that nobody needs any more; every night. */
export const RotateSigningKeysJob = defineJob({
  name: 'oauth.rotate-signing-keys',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '41 2 * * *', payload: {} },
});
