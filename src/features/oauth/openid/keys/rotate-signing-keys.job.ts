import { defineJob } from '#kernel/queue/job-definition.js';

/**
 * Replaces the signing key of id_tokens when it is due, and removes keys that are no longer needed; every
 * night.
 */
export const RotateSigningKeysJob = defineJob({
  name: 'oauth.rotate-signing-keys',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 60_000 },
  schedule: { cron: '41 2 * * *', payload: {} },
});
