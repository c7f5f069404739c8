import { defineJob } from '#kernel/queue/job-definition.js';

/** Environments due to be stopped. */
export const DUE = `auto_stop_at <= now() and state = 'available'`;

/** Stops environments that are due. */
export const StopDueEnvironmentsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'environments.stop_due',
  queue: 'default',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 5_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/5 * * * *', payload: {}, when: `exists (select from environments where ${DUE})` },
});
