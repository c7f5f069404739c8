import { defineJob } from '#kernel/queue/job-definition.js';

/** Ends the merges of crashed processes. */
export const RecoverLockedJob = defineJob<Readonly<Record<string, never>>>({
  name: 'merge_requests.recover_locked',
  queue: 'merge_requests',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: {
    cron: '* * * * *',
    payload: {},
    when: `exists (select from merge_requests where state = 'locked')`,
  },
});
