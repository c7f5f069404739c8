import { defineJob } from '#kernel/queue/job-definition.js';

/** Deployments of a project by their numbers. */
export type KeptDeployments = { readonly projectId: number; readonly iids: readonly number[] };

/** Has many deployments that were brought over keep their commits, as far as the repository has them. */
export const KeepDeploymentRefsJob = defineJob<KeptDeployments>({
  name: 'deployments.keep_refs',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
