import { defineJob } from '#kernel/queue/job-definition.js';

/** Records which merge requests a deployment shipped; enqueued after each success. */
export const LinkMergeRequestsJob = defineJob<Readonly<{ deploymentId: number }>>({
  name: 'deployments.link_merge_requests',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
