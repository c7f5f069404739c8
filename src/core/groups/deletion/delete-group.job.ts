import { defineJob } from '#kernel/queue/job-definition.js';

/** Which group to remove; `markedAt` when it was kept for some days first. */
export type DeleteGroupPayload = Readonly<{ groupId: number; markedAt?: string }>;

/** Removes a group that is marked for it, with everything below. */
export const DeleteGroupJob = defineJob<DeleteGroupPayload>({
  name: 'groups.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
