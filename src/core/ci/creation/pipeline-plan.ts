import type { PlannedPipeline } from '../config/planned-pipeline.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import type { PipelineCommit } from '../pipelines/pipeline-commit.js';
import type { CiProject } from './ci-projects.queries.js';
import type { NewPipeline, RefusedPipeline } from './new-pipeline.js';
import type { PipelineRef } from './resolve-pipeline-ref.js';

/** All facts of a pipeline before it is stored. */
export interface PipelinePlan {
  readonly wanted: NewPipeline;
  readonly project: CiProject;
  readonly at: PipelineRef;
  readonly beforeSha: string;
  /** Commit with which changed files are determined; all zeros if unknown. */
  readonly changedSince: string;
  readonly commit: PipelineCommit;
  /** Whether its jobs are those of a protected ref. */
  readonly protected: boolean;
  /** Variables of jobs from outside of the configuration; names are expanded with them. */
  readonly variables: readonly CiVariable[];
  /** The message of the commit skips the pipeline. */
  readonly skipped: boolean;
  readonly planned: PlannedPipeline;
  /** For a trial: the jobs as a JSON list of `LintedJobRecord`. */
  readonly shown: Uint8Array | null;
}

/** A plan, or why there is none; an invalid configuration keeps its plan, for a failed pipeline. */
export type Planned = { readonly plan: PipelinePlan } | (RefusedPipeline & { readonly plan?: PipelinePlan });
