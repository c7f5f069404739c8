import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { Pipeline, PipelineSource } from '../pipelines/pipeline.entity.js';

/** A pipeline that somebody wants. */
export interface NewPipeline {
  readonly projectId: number;
  /** A branch or a tag: its name, or its full name below `refs/`; with a merge request also the ref of that. */
  readonly ref: string;
  /** Default: where the ref is now. */
  readonly sha?: string;
  /** Where the ref was before; default: forty zeros. */
  readonly beforeSha?: string;
  readonly source: PipelineSource;
  /** Nobody has pushed: whether the user may run a pipeline there is still to be judged. */
  readonly isTrial?: boolean;
  /** On whose behalf its jobs run. */
  readonly userId: number;
  /** Whether they ask as an administrator; missing where they do not ask themselves. */
  readonly isAdmin?: boolean;
  /** Variables that whoever asks gives to all jobs. */
  readonly variables: readonly CiVariable[];
  /** The merge request that it is for. */
  readonly mergeRequestId?: number;
  /** Of a child pipeline. */
  readonly parentId?: number;
  /** The job that starts a child pipeline. */
  readonly bridgeId?: number;
  /** Path of the configuration in the commit; default: that of the project. */
  readonly configPath?: string;
  /** Text of the configuration, in place of a file. */
  readonly config?: string;
  /** Files that are not in the commit, by path: artifacts that hold a configuration. */
  readonly extraFiles?: ReadonlyMap<string, string>;
}

/** Why there is no pipeline. */
export interface RefusedPipeline {
  readonly errors: readonly string[];
  /** What the errors are about: `config` is what its author can put right. */
  readonly about: 'config' | 'ref' | 'rules' | 'rights' | 'missing config';
}

/** The pipeline, or why there is none. */
export type CreatedPipeline = { readonly pipeline: Pipeline } | RefusedPipeline;
