import { defineJob } from '#kernel/queue/job-definition.js';

/** Has the database look at tables that much has been written into, before it plans by what was in them. */
export const AnalyzeLoadedJob = defineJob<Readonly<Record<string, never>>>({
  name: 'statistics.analyze-loaded',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'fixed', delayMs: 60_000 },
  dedupe: () => 'all',
});
