import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { FreezeOverrideParams } from './freeze-override.params.js';
import type { CiStatus } from './job-status.js';
import { StatusScope } from './status-scope.js';

/** Filters of the jobs of a project. */
export class ListJobsParams {
  @StatusScope({ optional: true, description: 'Statuses: one, or several as scope[]' })
  scope?: CiStatus[];
}

/** Filters of the jobs of a pipeline. */
export class ListPipelineJobsParams extends ListJobsParams {
  @Id()
  pipeline_id!: number;

  @Flag({ optional: true, description: 'Also jobs that were retried' })
  include_retried?: boolean;
}

/** Path parameters of a job. */
export class FindJobParams {
  @Id()
  job_id!: number;
}

/** A variable for a job to play. */
export class JobVariableParams {
  @Text({ maxLength: 255, matches: /^[A-Za-z_][A-Za-z0-9_]*$/ })
  key!: string;

  @Text({ blank: true })
  value!: string;
}

/** Parameters for playing a job. */
export class PlayJobParams extends FreezeOverrideParams {
  @Id()
  job_id!: number;

  @ListOf(() => JobVariableParams, { optional: true, maxItems: 100, description: 'Variables of this run' })
  job_variables_attributes?: JobVariableParams[];
}
