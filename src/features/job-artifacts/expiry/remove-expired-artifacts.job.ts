import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes the artifacts whose time is over. */
export const RemoveExpiredArtifacts = defineJob<Readonly<Record<string, never>>>({
  name: 'artifacts.remove_expired',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: () => '',
  schedule: { cron: '*/3 * * * *', payload: {} },
});
