import type { CiStatus } from '#core/ci/jobs/job-status.js';
import type { DeploymentStatus } from '#core/environments/deployments/deployment-summary.record.js';

/**
 * Status of a deployment by that of its job; a skipped job deploys nothing, which is `canceled`
 * (`decisions.md` 3).
 */
const BY_JOB: Readonly<Partial<Record<CiStatus, DeploymentStatus>>> = {
  created: 'created',
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'canceled',
};

/** Statuses that a job no longer changes; not `canceled`, because a skipped job may be revived. */
const FINAL: ReadonlySet<DeploymentStatus> = new Set<DeploymentStatus>(['success', 'failed']);

/** Returns the status of a deployment for that of its job; null for no change. */
export function deploymentStatusByJob(from: DeploymentStatus, job: CiStatus): DeploymentStatus | null {
  const to = BY_JOB[job];
  if (to === undefined || to === from || FINAL.has(from)) return null;
  if (from === 'canceled') return to === 'created' ? to : null;
  return to === 'created' ? null : to;
}
