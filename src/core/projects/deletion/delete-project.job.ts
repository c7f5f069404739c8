import { defineJob } from '#kernel/queue/job-definition.js';

/** A project to remove; `markedAt`: start of its delayed deletion, if it was delayed. */
export type DeleteProjectPayload = Readonly<{ projectId: number; markedAt?: string }>;

/** Removes a project marked for deletion, with everything that belongs to it. */
export const DeleteProjectJob = defineJob<DeleteProjectPayload>({
  name: 'projects.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
