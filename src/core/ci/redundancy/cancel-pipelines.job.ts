import { defineJob } from '#kernel/queue/job-definition.js';

/** Cancels the child pipelines of a pipeline, or that of one of its bridges. */
export const CancelPipelinesJob = defineJob<Readonly<{ parentId: number; bridgeId?: number }>>({
  name: 'ci.cancel_pipelines',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
