import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes the source branch of a merged merge request as the user who merged it. */
export const RemoveSourceBranchJob = defineJob<Readonly<{ id: number; userId: number }>>({
  name: 'merge_requests.remove_source_branch',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
