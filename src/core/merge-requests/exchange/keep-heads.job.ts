import { defineJob } from '#kernel/queue/job-definition.js';

/** Merge requests of a project by their numbers. */
export type KeptHeads = { readonly projectId: number; readonly iids: readonly number[] };

/** Has refs name the heads of many merge requests that were brought over, as far as the repository has them. */
export const KeepHeadsJob = defineJob<KeptHeads>({
  name: 'merge_requests.keep_heads',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
