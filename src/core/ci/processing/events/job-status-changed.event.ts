import type { Job } from '../../jobs/job.entity.js';
import type { CiStatus } from '../../jobs/job-status.js';

/**
 * A job has got another status; `job` has it already. Listeners run in the transaction, which holds the lock of the pipeline and may lock
 * environments and deployments after it, never a pipeline.
 */
export class JobStatusChanged {
  constructor(
    readonly job: Job,
    readonly from: CiStatus,
  ) {}
}
