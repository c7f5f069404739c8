import { defineJob } from '#kernel/queue/job-definition.js';

/** Pipelines to unlock: all of a ref, or those before `beforeId`. */
export type Unlocked = Readonly<{
  projectId: number;
  ref: string;
  tag: boolean;
  /** Whether it is the ref of a merge request, not a branch of that name; jobs of former versions mean both. */
  ofMergeRequest?: boolean;
  beforeId?: number;
}>;

/** Unlocks the artifacts of pipelines and of their child pipelines. */
export const UnlockPipelinesJob = defineJob<Unlocked>({
  name: 'ci.unlock_pipelines',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
