import { defineJob } from '#kernel/queue/job-definition.js';

/**
 * A merge request whose branches may have moved, and the user who moved them; null if unknown. `head`: what
 * that user pushed to its source branch, null for other moves, so that commits of others are never attributed
 * to the user.
 */
export type FollowedMergeRequest = Readonly<{ id: number; userId: number | null; head: string | null }>;

/** Checks the branches of a merge request. */
export const FollowMergeRequestJob = defineJob<FollowedMergeRequest>({
  name: 'merge_requests.follow',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
  timeoutMs: 1_200_000,
  dedupe: ({ id, head }) => `${id} ${head ?? ''}`,
});
