import type { Job } from '../../jobs/job.entity.js';
import type { JobEnvironment } from '../../jobs/definition/job-definition.js';
import type { Pipeline } from '../../pipelines/pipeline.entity.js';

/** A job with the environment of its definition. */
export interface DefinedJob {
  readonly job: Job;
  readonly environment: JobEnvironment | null;
}

/** Published in the transaction that adds jobs with status `created` to a pipeline: new jobs or retries. */
export class JobsCreated {
  constructor(
    readonly pipeline: Pipeline,
    readonly jobs: readonly DefinedJob[],
  ) {}
}
