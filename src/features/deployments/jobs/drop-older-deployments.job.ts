import { defineJob } from '#kernel/queue/job-definition.js';

/** The deployment that has begun. */
export type DropOlderPayload = { readonly deploymentId: number };

/** Fails jobs that would deploy an older commit after it. */
export const DropOlderDeploymentsJob = defineJob<DropOlderPayload>({
  name: 'deployments.drop_older',
  queue: 'default',
  attempts: 5,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
