import type { CiVariable, JobDefinition } from '../jobs/definition/job-definition.js';
import type { JobWhen } from '../jobs/job.entity.js';
import type { PipelineSource } from '../pipelines/pipeline.entity.js';

/** What a configuration is read with. */
export interface CompileContext {
  /** Text of a file of the commit, or null where there is none (or one beyond all limits). */
  readonly readFile: (path: string) => Promise<string | null>;
  /**
   * Paths of the files that have changed since the commit before; null where that is unknown: `changes` then counts as true. With a ref:
   * since the history has left that one; null where there is no such ref.
   */
  readonly changedFiles: (compareTo?: string) => Promise<readonly string[] | null>;
  /** Paths of all files of the commit, for `exists` and `include` with a wildcard; null where there are too many to list. */
  readonly allFiles: () => Promise<readonly string[] | null>;
  readonly source: PipelineSource;
  readonly ref: string;
  readonly tag: boolean;
  /** Predefined ones, those of project and groups, and of whoever asks for the pipeline: they win over those of the file. */
  readonly variables: readonly CiVariable[];
}

/** One job of a pipeline to be. */
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

/** A pipeline to be. */
export interface CompiledPipeline {
  /** Of `workflow: name`, variables replaced. */
  readonly name: string | null;
  readonly stages: readonly string[];
  readonly jobs: readonly CompiledJob[];
  readonly warnings: readonly string[];
}

/** What came of a configuration: a pipeline, what is wrong with it, or the decision of its rules that there is none. */
export type Compiled =
  | { readonly kind: 'pipeline'; readonly pipeline: CompiledPipeline }
  | { readonly kind: 'invalid'; readonly errors: readonly string[] }
  /** `workflow` says no, or no job is left. */
  | { readonly kind: 'none'; readonly reason: 'workflow' | 'no jobs' };
