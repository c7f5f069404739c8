import { defineJob } from '#kernel/queue/job-definition.js';

/** Merges a merge request with auto-merge; enqueue it in the transaction that finishes the pipeline. */
export const MergeAutomaticallyJob = defineJob<Readonly<{ id: number }>>({
  name: 'merge_requests.merge_automatically',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
  dedupe: ({ id }) => String(id),
});
