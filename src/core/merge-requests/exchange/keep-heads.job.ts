import { defineJob } from '#kernel/queue/job-definition.js';

/** Merge requests of a project, by number. */
export type KeptHeads = { readonly projectId: number; readonly iids: readonly number[] };

/** Creates refs for the heads of many imported merge requests, if the repository has the commits. */
export const KeepHeadsJob = defineJob<KeptHeads>({
  name: 'merge_requests.keep_heads',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
