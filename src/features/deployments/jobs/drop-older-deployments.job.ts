import { defineJob } from '#kernel/queue/job-definition.js';

/** Which deployment has begun. */
export type DropOlderPayload = { readonly deploymentId: number };

/** Fails the jobs that would deploy something older after it. */
export const DropOlderDeploymentsJob = defineJob<DropOlderPayload>({
  name: 'deployments.drop_older',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
