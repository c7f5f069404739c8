import { defineJob } from '#kernel/queue/job-definition.js';

/** Cancels what a newer pipeline of the same branch has made redundant. */
export const CancelRedundantJob = defineJob<Readonly<{ pipelineId: number }>>({
  name: 'ci.cancel_redundant',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
