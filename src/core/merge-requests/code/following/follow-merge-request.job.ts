import { defineJob } from '#kernel/queue/job-definition.js';

/**
 * One merge request whose branches may have moved, and who moved them; null when it is not known any more. `head` is what they have pushed to its
 * source branch, null when that was not what they did: nobody else's commits are ever taken for theirs.
 */
export type FollowedMergeRequest = Readonly<{ id: number; userId: number | null; head: string | null }>;

/** Looks where the branches of one merge request are now. */
export const FollowMergeRequestJob = defineJob<FollowedMergeRequest>({
  name: 'merge_requests.follow',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
  timeoutMs: 1_200_000,
  dedupe: ({ id, head }) => `${id} ${head ?? ''}`,
});
