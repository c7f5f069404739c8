import { defineJob } from '#kernel/queue/job-definition.js';

/** Unlocks the pipelines of projects, or of the instance, that no longer keep the latest artifacts. */
export const UnlockUnkeptJob = defineJob<Readonly<Record<string, never>>>({
  name: 'ci.unlock_unkept',
  queue: 'ci',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  schedule: { cron: '*/10 * * * *', payload: {}, when: 'exists (select from ci_pipelines where locked)' },
});
