import { defineJob } from '#kernel/queue/job-definition.js';

/** Ends the pushes whose processes have died. */
export const RecoverPushes = defineJob<Readonly<Record<string, never>>>({
  name: 'repositories.recover_pushes',
  queue: 'repositories',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '* * * * *', payload: {} },
});
