import { defineJob } from '#kernel/queue/job-definition.js';

/** Copies the source repository to a fork. */
export const CopyForkJob = defineJob<Readonly<{ projectId: number }>>({
  name: 'repositories.copy_fork',
  queue: 'repositories',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
