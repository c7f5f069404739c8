import { defineJob } from '#kernel/queue/job-definition.js';

/** A pipeline and the job that has started it; `userId`: whoever runs jobs of the pipeline once more, after it had been done. */
export type Followed = Readonly<{ childId: number; bridgeId: number; parentId: number; userId?: number }>;

/** Gives a bridge that depends on its child the status of that. */
export const FollowChildJob = defineJob<Followed>({
  name: 'ci.follow_child',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
