import { defineJob } from '#kernel/queue/job-definition.js';

/** A pipeline; `headed`: the merge requests that it was the head pipeline of, where it has been removed. */
export type FollowedPipeline = Readonly<{ pipelineId: number; headed?: readonly number[] }>;

/** Looks which merge requests a new pipeline, or one that has ended or is gone, is the head pipeline of. */
export const FollowHeadPipelineJob = defineJob<FollowedPipeline>({
  name: 'merge_requests.follow_head_pipeline',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000, maxMs: 60_000 },
});
