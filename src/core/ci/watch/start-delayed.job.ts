import { defineJob } from '#kernel/queue/job-definition.js';

/** Starts a delayed job when its time has come. */
export const StartDelayedJob = defineJob<Readonly<{ jobId: number }>>({
  name: 'ci.start_delayed',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
