import { defineJob } from '#kernel/queue/job-definition.js';

/** Continues the unfinished backfills. */
export const RunBackfillsJob = defineJob({
  name: 'database.run-backfills',
  queue: 'maintenance',
  attempts: 3,
  backoff: { type: 'fixed', delayMs: 60_000 },
  timeoutMs: 3_600_000,
  dedupe: () => 'all',
  schedule: {
    cron: '* * * * *',
    payload: {},
    when: 'exists (select from backfills where finished_at is null)',
  },
});
