import type { Pipeline } from '../../pipelines/pipeline.entity.js';
import type { CiStatus } from '../../jobs/job-status.js';

/** A pipeline has got another status; in the transaction that holds its lock. */
export class PipelineStatusChanged {
  constructor(
    readonly pipeline: Pipeline,
    readonly from: CiStatus,
  ) {}
}
