import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes what uploads of killed processes have left in the object storage. */
export const SweepUploadsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'objects.sweep-uploads',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 10_000 },
  dedupe: () => 'all',
  schedule: { cron: '24 4 * * *', payload: {} },
});
