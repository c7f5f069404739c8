import { defineJob } from '#kernel/queue/job-definition.js';
import { TALLIED } from './tally.sql.js';

/** Merges all tallies with the same subject and project into one row. */
export const FoldTalliesJob = defineJob({
  name: 'issuables.fold-tallies',
  queue: 'maintenance',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  schedule: {
    cron: '* * * * *',
    payload: {},
    when: TALLIED.map((of) => `exists (select from ${of}_tallies where not folded)`).join(' or '),
  },
});
