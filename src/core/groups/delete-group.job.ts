import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes a group that is marked for it, with everything below. */
export const DeleteGroup = defineJob<Readonly<{ groupId: number }>>({
  name: 'groups.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
