import { defineJob } from '#kernel/queue/job-definition.js';

/** Whose pipeline is wanted, for which commit. */
export type WantedMergeRequestPipeline = Readonly<{
  mergeRequestId: number;
  sha: string;
  userId: number;
  /** Even where the commit has had one: it is to be brought elsewhere now. */
  again: boolean;
}>;

/** Makes the pipeline of a merge request: nobody asks for it again, so it is tried for an hour. */
export const CreateMergeRequestPipelineJob = defineJob<WantedMergeRequestPipeline>({
  name: 'merge_requests.create_pipeline',
  queue: 'ci',
  attempts: 20,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
