import type { Job } from '../../jobs/job.entity.js';
import type { JobEnvironment } from '../../jobs/definition/job-definition.js';
import type { Pipeline } from '../../pipelines/pipeline.entity.js';

/** A job with the environment that it names. */
export interface DefinedJob {
  readonly job: Job;
  readonly environment: JobEnvironment | null;
}

/** Jobs have been added to a pipeline, with status `created`: with the pipeline, or as retries. In the transaction that adds them. */
export class JobsCreated {
  constructor(
    readonly pipeline: Pipeline,
    readonly jobs: readonly DefinedJob[],
  ) {}
}
