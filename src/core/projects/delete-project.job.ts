import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes a project that is marked for it, with everything that belongs to it. */
export const DeleteProject = defineJob<Readonly<{ projectId: number }>>({
  name: 'projects.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
