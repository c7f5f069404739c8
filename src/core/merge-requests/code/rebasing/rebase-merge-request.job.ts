import { defineJob } from '#kernel/queue/job-definition.js';

/** Which merge request is put on top of its target, in whose name, and whether its push makes no pipeline. */
export type WantedRebase = Readonly<{ id: number; userId: number; skipCi: boolean }>;

/** Puts the commits of a merge request on top of its target. */
export const RebaseMergeRequestJob = defineJob<WantedRebase>({
  name: 'merge_requests.rebase',
  queue: 'merge_requests',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
