import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes what killed git processes have left in repositories. */
export const SweepRepositoriesJob = defineJob<Readonly<Record<string, never>>>({
  name: 'repositories.sweep',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 10_000 },
  timeoutMs: 4 * 3_600_000,
  dedupe: () => 'all',
  schedule: { cron: '35 * * * *', payload: {} },
});
