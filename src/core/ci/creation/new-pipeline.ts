import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { Pipeline, PipelineSource } from '../pipelines/pipeline.entity.js';

/** A request for a new pipeline. */
export interface NewPipeline {
  readonly projectId: number;
  /**
   * A branch or tag by its name, or by its full name below `refs/`; for a merge request also the ref of that.
   */
  readonly ref: string;
  /** Default: the current commit of the ref. */
  readonly sha?: string;
  /** The previous commit of the ref; default: forty zeros. */
  readonly beforeSha?: string;
  readonly source: PipelineSource;
  /** A dry run without a push: whether the user may run pipelines on the ref is still to be checked. */
  readonly isTrial?: boolean;
  /** The user for whom the jobs run. */
  readonly userId: number;
  /** Whether the user acts as an administrator; undefined if the user made no request. */
  readonly isAdmin?: boolean;
  /** Variables of the request, for all jobs. */
  readonly variables: readonly CiVariable[];
  /** The merge request of the pipeline. */
  readonly mergeRequestId?: number;
  /** Parent of a child pipeline. */
  readonly parentId?: number;
  /** The job that starts a child pipeline. */
  readonly bridgeId?: number;
  /** Whether that job is one of a protected ref. */
  readonly bridgeProtected?: boolean;
  /** Path of the configuration in the commit; default: the path of the project. */
  readonly configPath?: string;
  /** Text of the configuration, instead of a file. */
  readonly config?: string;
  /** Additional files by path, from artifacts that contain a configuration. */
  readonly extraFiles?: ReadonlyMap<string, string>;
}

/** Why there is no pipeline. */
export interface RefusedPipeline {
  readonly errors: readonly string[];
  /** Subject of the errors; `config` means that the author of the configuration can fix them. */
  readonly about: 'config' | 'ref' | 'rules' | 'rights' | 'missing config';
}

/** The created pipeline, or the reason why there is none. */
export type CreatedPipeline = { readonly pipeline: Pipeline } | RefusedPipeline;
