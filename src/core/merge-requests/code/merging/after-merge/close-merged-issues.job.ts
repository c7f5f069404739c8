import { defineJob } from '#kernel/queue/job-definition.js';

/** Closes the issues of a merged merge request. */
export const CloseMergedIssuesJob = defineJob<Readonly<{ id: number }>>({
  name: 'merge_requests.close_issues',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
