import { defineJob } from '#kernel/queue/job-definition.js';

/** Refs to update: those of a deployment, or (iid null) of an environment whose deployments were removed. */
export type DeploymentRefsPayload = {
  readonly projectId: number;
  readonly slug: string;
  readonly iid: number | null;
};

/** Creates or removes refs of deployments. */
export const RefreshDeploymentRefsJob = defineJob<DeploymentRefsPayload>({
  name: 'deployments.refresh_refs',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
