import { defineJob } from '#kernel/queue/job-definition.js';

/** Long after waiters consider a push dead: a process that was only paused ends its own pushes. */
export const LOST = `heartbeat_at < now() - interval '60 seconds'`;

/** Ends the pushes of crashed processes. */
export const RecoverPushesJob = defineJob<Readonly<Record<string, never>>>({
  name: 'repositories.recover_pushes',
  queue: 'repositories',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '* * * * *', payload: {}, when: `exists (select from running_pushes where ${LOST})` },
});
