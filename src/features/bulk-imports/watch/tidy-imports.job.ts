import { defineJob } from '#kernel/queue/job-definition.js';

/** Ends migrations without progress, and removes leftovers of migrations. */
export const TidyImportsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'bulk-imports.tidy',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'fixed', delayMs: 60_000 },
  dedupe: () => 'all',
  schedule: { cron: '17 * * * *', payload: {} },
});
