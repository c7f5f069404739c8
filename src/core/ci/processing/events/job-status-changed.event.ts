import type { Job } from '../../jobs/job.entity.js';
import type { CiStatus } from '../../jobs/job-status.js';

/**
 * A job has changed its status; `job` has the new one. Listeners run in the transaction, which holds the lock
 * of the pipeline. They may then lock environments and deployments, never a pipeline.
 */
export class JobStatusChanged {
  constructor(
    readonly job: Job,
    readonly from: CiStatus,
  ) {}
}
