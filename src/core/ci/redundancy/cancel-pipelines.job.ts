import { defineJob } from '#kernel/queue/job-definition.js';

/** Cancels the pipelines that a pipeline has started, or the one that a job of it has started. */
export const CancelPipelinesJob = defineJob<Readonly<{ parentId: number; bridgeId?: number }>>({
  name: 'ci.cancel_pipelines',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
