import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes a user who is already hidden and blocked. */
export const DeleteUserJob = defineJob<Readonly<{ userId: number; hard: boolean }>>({
  name: 'users.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
  dedupe: ({ userId }) => String(userId),
});
