import type { CiVariable, JobDefinition } from '../jobs/definition/job-definition.js';
import type { JobWhen } from '../jobs/job.entity.js';
import type { PipelineSource } from '../pipelines/pipeline.entity.js';
import type { AutoCancel } from './rules/auto-cancel.js';

/** Facts that a configuration is compiled with. */
export interface CompileContext {
  /** Reads a file of the commit; null if it does not exist or is too large. */
  readonly readFile: (path: string) => Promise<string | null>;
  /**
   * Lists the paths changed since the previous commit; null if unknown: `changes` then counts as true. With
   * `compareTo`: the paths changed since the merge base with that ref; null if the ref does not exist.
   */
  readonly changedFiles: (compareTo?: string) => Promise<readonly string[] | null>;
  /**
   * Lists all paths of the commit, for `exists` and for `include` with a wildcard; null if there are too
   * many.
   */
  readonly allFiles: () => Promise<readonly string[] | null>;
  readonly source: PipelineSource;
  readonly ref: string;
  readonly tag: boolean;
  /**
   * Predefined variables and those of the project, its groups and the user; they override those of the
   * configuration.
   */
  readonly variables: readonly CiVariable[];
}

/** A job selected for a pipeline. */
export interface CompiledJob {
  readonly kind: 'build' | 'bridge';
  readonly name: string;
  readonly stage: string;
  /** Position of the stage, from 0. */
  readonly stageIndex: number;
  readonly when: JobWhen;
  readonly allowFailure: boolean;
  readonly tagList: readonly string[];
  readonly definition: JobDefinition;
}

/** A compiled pipeline. */
export interface CompiledPipeline {
  /** From `workflow: name`, with variables expanded. */
  readonly name: string | null;
  readonly autoCancel: AutoCancel;
  readonly stages: readonly string[];
  readonly jobs: readonly CompiledJob[];
  readonly warnings: readonly string[];
}

/** Result of a compilation: a pipeline, errors, or no pipeline because of the rules. */
export type Compiled =
  | { readonly kind: 'pipeline'; readonly pipeline: CompiledPipeline }
  | { readonly kind: 'invalid'; readonly errors: readonly string[] }
  /** `workflow` excludes the pipeline, or no job is selected. */
  | { readonly kind: 'none'; readonly reason: 'workflow' | 'no jobs' };
