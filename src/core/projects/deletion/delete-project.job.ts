import { defineJob } from '#kernel/queue/job-definition.js';

/** Which project to remove; `markedAt` when it was kept for some days first. */
export type DeleteProjectPayload = Readonly<{ projectId: number; markedAt?: string }>;

/** Removes a project that is marked for it, with everything that belongs to it. */
export const DeleteProjectJob = defineJob<DeleteProjectPayload>({
  name: 'projects.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
