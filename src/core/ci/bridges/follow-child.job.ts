import { defineJob } from '#kernel/queue/job-definition.js';

/** A pipeline and the job that has started it; `again`: the pipeline had been done, and then somebody has run jobs of it once more. */
export type Followed = Readonly<{ childId: number; bridgeId: number; parentId: number; again?: boolean }>;

/** Gives a bridge that depends on its child the status of that. */
export const FollowChild = defineJob<Followed>({
  name: 'ci.follow_child',
  queue: 'ci',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
