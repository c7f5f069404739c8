import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes environments scheduled for removal. */
export const DeleteDueEnvironmentsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'environments.delete_due',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  schedule: { cron: '34 * * * *', payload: {} },
});
