import { describe, expect, it } from '@jest/globals';
import { CI_STATUSES, type CiStatus } from '#core/ci/jobs/job-status.js';
import {
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
} from '#core/environments/deployments/deployment-summary.record.js';
import { deploymentStatusByJob } from './status-by-job.js';

type Row = Readonly<Partial<Record<CiStatus, DeploymentStatus>>>;

const OPEN: Row = {
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'canceled',
};

const TABLE: Readonly<Record<DeploymentStatus, Row>> = {
  created: OPEN,
  blocked: OPEN,
  running: { success: 'success', failed: 'failed', canceled: 'canceled', skipped: 'canceled' },
  success: {},
  failed: {},
  // A skipped job is revived.
  canceled: { created: 'created' },
};

describe('deploymentStatusByJob', () => {
  it.each(DEPLOYMENT_STATUSES.flatMap((from) => CI_STATUSES.map((job) => [from, job] as const)))(
    'moves a deployment from %s, when its job becomes %s, to the matching status',
    (from, job) => expect(deploymentStatusByJob(from, job)).toBe(TABLE[from][job] ?? null),
  );
});
