import { defineJob } from '#kernel/queue/job-definition.js';

/** Cancels older pipelines that a newer one of the same branch makes redundant. */
export const CancelRedundantJob = defineJob<Readonly<{ pipelineId: number }>>({
  name: 'ci.cancel_redundant',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
