import { defineJob } from '#kernel/queue/job-definition.js';

/** A group to remove; `markedAt`: start of its delayed deletion, if it was delayed. */
export type DeleteGroupPayload = Readonly<{ groupId: number; markedAt?: string }>;

/** Removes a group marked for deletion, with everything below. */
export const DeleteGroupJob = defineJob<DeleteGroupPayload>({
  name: 'groups.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
