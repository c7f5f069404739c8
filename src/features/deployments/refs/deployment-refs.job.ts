import { defineJob } from '#kernel/queue/job-definition.js';

/** Whose refs to look after: one deployment, or (iid null) those of an environment whose deployments are gone. */
export type DeploymentRefsPayload = {
  readonly projectId: number;
  readonly slug: string;
  readonly iid: number | null;
};

/** Brings the refs of deployments in line with the deployments. */
export const RefreshDeploymentRefsJob = defineJob<DeploymentRefsPayload>({
  name: 'deployments.refresh_refs',
  queue: 'repositories',
  attempts: 10,
  backoff: { type: 'exponential', delayMs: 1_000 },
});
