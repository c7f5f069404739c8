import { defineJob } from '#kernel/queue/job-definition.js';

/** Adds identities to repositories that were created before identities were recorded. */
export const MarkRepositoriesJob = defineJob<Readonly<Record<string, never>>>({
  name: 'repositories.mark',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 10_000 },
  timeoutMs: 3_600_000,
  dedupe: () => 'all',
  schedule: {
    cron: '*/10 * * * *',
    payload: {},
    when: 'exists (select from repositories where identity is null)',
  },
});
