import { defineJob } from '#kernel/queue/job-definition.js';

/** Repositories whose names have not been collected. */
export const NOT_COLLECTED = `commits_collected_at is null and owner_type = 'Project' and kind = 'code'`;

const WAITING = `exists (select from named_commits) or exists (select from repositories where ${NOT_COLLECTED})`;

/** Creates keep-around refs for the commits named since the last run. */
export const KeepCommitsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'repositories.keep-commits',
  queue: 'repositories',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  dedupe: () => 'all',
  schedule: { cron: '*/15 * * * * *', payload: {}, when: WAITING },
});
