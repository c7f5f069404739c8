import type { CiStatus } from '#core/ci/jobs/job-status.js';
import type { DeploymentStatus } from '#core/environments/deployments/deployment-summary.record.js';

/** What becomes of a deployment when its job gets a status; a job that is left out deploys nothing: that reads `canceled` (`decisions.md` 3). */
const BY_JOB: Readonly<Partial<Record<CiStatus, DeploymentStatus>>> = {
  created: 'created',
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'canceled',
};

/** Statuses that a job takes a deployment out of no more; but for `canceled`, as one that was left out may come back. */
const FINAL: ReadonlySet<DeploymentStatus> = new Set<DeploymentStatus>(['success', 'failed']);

/** The status that a deployment gets with its job; null: it stays as it is. */
export function deploymentStatusByJob(from: DeploymentStatus, job: CiStatus): DeploymentStatus | null {
  const to = BY_JOB[job];
  if (to === undefined || to === from || FINAL.has(from)) return null;
  if (from === 'canceled') return to === 'created' ? to : null;
  return to === 'created' ? null : to;
}
