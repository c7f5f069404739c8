import { defineJob } from '#kernel/queue/job-definition.js';

/** Copies what a project is a fork of. */
export const CopyForkJob = defineJob<Readonly<{ projectId: number }>>({
  name: 'repositories.copy_fork',
  queue: 'repositories',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
