import { defineJob } from '#kernel/queue/job-definition.js';

/** A pipeline and the bridge that started it; `userId`: the user who reran jobs after it had finished. */
export type Followed = Readonly<{ childId: number; bridgeId: number; parentId: number; userId?: number }>;

/** Copies the status of a child to the bridge that depends on it. */
export const FollowChildJob = defineJob<Followed>({
  name: 'ci.follow_child',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
