import { defineJob } from '#kernel/queue/job-definition.js';

/** A rebase to do: the merge request, its user, and whether the push skips CI. */
export type WantedRebase = Readonly<{ id: number; userId: number; skipCi: boolean }>;

/** Rebases a merge request onto its target. */
export const RebaseMergeRequestJob = defineJob<WantedRebase>({
  name: 'merge_requests.rebase',
  queue: 'merge_requests',
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
