import { defineJob } from '#kernel/queue/job-definition.js';

/** Merges what was to be merged as soon as its pipeline had succeeded; enqueue it in the transaction that ends the pipeline. */
export const MergeAutomaticallyJob = defineJob<Readonly<{ id: number }>>({
  name: 'merge_requests.merge_automatically',
  queue: 'merge_requests',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
  dedupe: ({ id }) => String(id),
});
