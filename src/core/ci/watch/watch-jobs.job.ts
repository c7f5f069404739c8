import { defineJob } from '#kernel/queue/job-definition.js';

/** Looks for jobs that nobody will ever end, and for what should have gone on long ago. */
export const WatchJobs = defineJob<Readonly<Record<string, never>>>({
  name: 'ci.watch_jobs',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  schedule: { cron: '* * * * *', payload: {} },
});
