import { defineJob } from '#kernel/queue/job-definition.js';

/** Deployments of a project, by number. */
export type KeptDeployments = { readonly projectId: number; readonly iids: readonly number[] };

/** Creates refs for the commits of many imported deployments, if the repository has them. */
export const KeepDeploymentRefsJob = defineJob<KeptDeployments>({
  name: 'deployments.keep_refs',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
