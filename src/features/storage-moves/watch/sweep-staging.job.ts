import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes what moves have left on the storages. */
export const SweepStagingJob = defineJob<Readonly<Record<string, never>>>({
  name: 'storage-moves.sweep',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'fixed', delayMs: 10_000 },
  dedupe: () => 'all',
  schedule: { cron: '52 * * * *', payload: {} },
});
