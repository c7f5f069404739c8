import { defineJob } from '#kernel/queue/job-definition.js';

/** Whose artifacts may expire again: pipelines of a ref, those before one when it is given. */
export type Unlocked = Readonly<{ projectId: number; ref: string; tag: boolean; beforeId?: number }>;

/** Unlocks pipelines, with those that they have started. */
export const UnlockPipelinesJob = defineJob<Unlocked>({
  name: 'ci.unlock_pipelines',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
