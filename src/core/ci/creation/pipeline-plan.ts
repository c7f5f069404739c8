import type { PlannedPipeline } from '../config/planned-pipeline.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { PipelineCommit } from '../pipelines/pipeline-commit.js';
import type { CiProject } from './ci-projects.queries.js';
import type { NewPipeline, RefusedPipeline } from './new-pipeline.js';
import type { PipelineRef } from './resolve-pipeline-ref.js';

/** Everything that is known of a pipeline before it is stored. */
export interface PipelinePlan {
  readonly wanted: NewPipeline;
  readonly project: CiProject;
  readonly at: PipelineRef;
  readonly beforeSha: string;
  /** Since which commit files count as changed; all zeros: nobody knows. */
  readonly changedSince: string;
  readonly commit: PipelineCommit;
  /** Whether the ref is protected. */
  readonly protected: boolean;
  /** What jobs get beside those of the file: their names are expanded with them. */
  readonly variables: readonly CiVariable[];
  /** No jobs: the message of the commit says that it wants none. */
  readonly skipped: boolean;
  readonly planned: PlannedPipeline;
  /** Of a trial: the jobs as JSON of a list of `LintedJobRecord`. */
  readonly shown: Uint8Array | null;
}

/** A plan, or why there is none; a configuration that is wrong comes with the plan, for a pipeline that has failed. */
export type Planned = { readonly plan: PipelinePlan } | (RefusedPipeline & { readonly plan?: PipelinePlan });
