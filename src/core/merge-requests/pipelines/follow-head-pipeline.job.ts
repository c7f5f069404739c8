import { defineJob } from '#kernel/queue/job-definition.js';

/** A pipeline; `headed`: the merge requests whose head pipeline it was before it was removed. */
export type FollowedPipeline = Readonly<{ pipelineId: number; headed?: readonly number[] }>;

/** Updates the head pipelines of merge requests after a pipeline is created, finished or removed. */
export const FollowHeadPipelineJob = defineJob<FollowedPipeline>({
  name: 'merge_requests.follow_head_pipeline',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000, maxMs: 60_000 },
});
