import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes objects that no row holds any more. */
export const RemoveObjects = defineJob<Readonly<Record<string, never>>>({
  name: 'objects.remove',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  schedule: { cron: '* * * * *', payload: {} },
});
