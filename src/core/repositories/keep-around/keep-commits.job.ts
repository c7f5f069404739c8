import { defineJob } from '#kernel/queue/job-definition.js';

/** Keeps by refs the commits that have been named since its last run. */
export const KeepCommits = defineJob<Readonly<Record<string, never>>>({
  name: 'repositories.keep-commits',
  queue: 'repositories',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/15 * * * * *', payload: {} },
});
