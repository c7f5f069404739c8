import { defineJob } from '#kernel/queue/job-definition.js';

/** Removes a hidden and blocked user. */
export const DeleteUserJob = defineJob<Readonly<{ userId: number; hard: boolean }>>({
  name: 'users.delete',
  queue: 'default',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
  dedupe: ({ userId }) => String(userId),
});
