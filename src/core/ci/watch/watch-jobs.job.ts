import { defineJob } from '#kernel/queue/job-definition.js';

/** Whether there are unfinished jobs, looked up in their partial indexes, or traces that are not archived. */
const OPEN = [
  `ci_jobs where kind = 'build' and status = 'running'`,
  'ci_pending_jobs',
  `ci_jobs where status = 'scheduled'`,
  `ci_jobs where resource_group is not null and status = 'waiting_for_resource'`,
  `ci_jobs where kind = 'bridge' and status in ('pending', 'running')`,
  'ci_trace_chunks',
]
  .map((open) => `exists (select from ${open})`)
  .join(' or ');

/** Finds jobs that would never end by themselves, and overdue follow-up work. */
export const WatchJobsJob = defineJob<Readonly<Record<string, never>>>({
  name: 'ci.watch_jobs',
  queue: 'ci',
  attempts: 5,
  backoff: { type: 'fixed', delayMs: 1_000 },
  schedule: { cron: '* * * * *', payload: {}, when: OPEN },
});
