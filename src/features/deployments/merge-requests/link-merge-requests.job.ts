import { defineJob } from '#kernel/queue/job-definition.js';

/** Notes which merge requests a deployment has shipped; asked for whenever one succeeds. */
export const LinkMergeRequestsJob = defineJob<Readonly<{ deploymentId: number }>>({
  name: 'deployments.link_merge_requests',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
