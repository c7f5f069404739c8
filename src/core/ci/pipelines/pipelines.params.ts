import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { CI_STATUSES, type CiStatus } from '../jobs/job-status.js';
import { PIPELINE_SOURCES, type PipelineSource } from './pipeline.entity.js';

/** Scopes of a list of pipelines. */
export const PIPELINE_SCOPES = ['running', 'pending', 'finished', 'branches', 'tags'] as const;

/** Orders of a list of pipelines. */
export const PIPELINE_ORDERS = ['id', 'status', 'ref', 'updated_at', 'user_id'] as const;

/** Filters and order of a list of pipelines. */
export class ListPipelinesParams {
  @OneOf(PIPELINE_SCOPES, { optional: true, description: 'branches and tags: the newest pipeline of each' })
  scope?: (typeof PIPELINE_SCOPES)[number];

  @OneOf(CI_STATUSES, { optional: true })
  status?: CiStatus;

  @Text({ optional: true, description: 'Branch or tag' })
  ref?: string;

  @Text({ optional: true })
  sha?: string;

  @Flag({ optional: true, description: 'Only those with an invalid configuration, or only others' })
  yaml_errors?: boolean;

  @Text({ optional: true, description: 'Username of the user for whom it runs' })
  username?: string;

  @Text({ optional: true, description: 'Of the pipeline' })
  name?: string;

  @IsoTime({ optional: true })
  updated_after?: Date;

  @IsoTime({ optional: true })
  updated_before?: Date;

  @IsoTime({ optional: true })
  created_after?: Date;

  @IsoTime({ optional: true })
  created_before?: Date;

  @OneOf(PIPELINE_SOURCES, {
    optional: true,
    description: 'Child pipelines are listed as parent_pipeline only',
  })
  source?: PipelineSource;

  @OneOf(PIPELINE_ORDERS, { optional: true, description: 'Default: id' })
  order_by?: (typeof PIPELINE_ORDERS)[number];

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';
}

/** Path parameters of a pipeline. */
export class FindPipelineParams {
  @Id()
  pipeline_id!: number;
}

/** Parameters of the newest pipeline of a ref. */
export class LatestPipelineParams {
  @Text({ optional: true, description: 'Default: the default branch' })
  ref?: string;
}

/** A variable for all jobs of a pipeline. */
export class PipelineVariableParams {
  @Text({ maxLength: 255, matches: /^[A-Za-z_][A-Za-z0-9_]*$/ })
  key!: string;

  @Text({ blank: true })
  value!: string;

  @OneOf(['env_var', 'file'], { optional: true, description: 'env_var unless given' })
  variable_type?: 'env_var' | 'file';
}

/** Parameters of a new pipeline. */
export class CreatePipelineParams {
  @Text({ description: 'Branch or tag' })
  ref!: string;

  @ListOf(() => PipelineVariableParams, { optional: true, maxItems: 100 })
  variables?: PipelineVariableParams[];
}

/** Parameters for renaming a pipeline. */
export class NamePipelineParams extends FindPipelineParams {
  @Text({ maxLength: 255 })
  name!: string;
}
