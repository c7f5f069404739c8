import type { Pipeline } from '../../pipelines/pipeline.entity.js';
import type { CiStatus } from '../../jobs/job-status.js';
import type { FormerStatus } from '../former-status.js';

/** Published when a pipeline changes its status, in the transaction that holds its lock. */
export class PipelineStatusChanged {
  constructor(
    readonly pipeline: Pipeline,
    readonly from: CiStatus,
    /** Reads the final status of the previous pipeline on the ref. */
    readonly former: FormerStatus,
  ) {}
}
