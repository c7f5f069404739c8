import { defineJob } from '#kernel/queue/job-definition.js';

/** User and commit of a requested pipeline. */
export type WantedMergeRequestPipeline = Readonly<{
  mergeRequestId: number;
  sha: string;
  userId: number;
  /** Create it even if the commit has one, because the target has changed. */
  again: boolean;
}>;

/**
 * Creates the pipeline of a merge request; retried for an hour, because no client would repeat the request.
 */
export const CreateMergeRequestPipelineJob = defineJob<WantedMergeRequestPipeline>({
  name: 'merge_requests.create_pipeline',
  queue: 'ci',
  attempts: 20,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
