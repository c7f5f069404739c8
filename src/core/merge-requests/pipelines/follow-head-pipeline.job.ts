import { defineJob } from '#kernel/queue/job-definition.js';

/** Looks which merge requests a new pipeline, or one that has ended, is the head pipeline of. */
export const FollowHeadPipeline = defineJob<Readonly<{ pipelineId: number }>>({
  name: 'merge_requests.follow_head_pipeline',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000, maxMs: 60_000 },
});
