import { defineJob } from '#kernel/queue/job-definition.js';

/** Starts the child pipeline of a pending bridge. */
export const StartChildJob = defineJob<Readonly<{ bridgeId: number }>>({
  name: 'ci.start_child',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
