import { defineJob } from '#kernel/queue/job-definition.js';

/** Stops the environments whose time is over. */
export const StopDueEnvironments = defineJob<Readonly<Record<string, never>>>({
  name: 'environments.stop_due',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/5 * * * *', payload: {} },
});
