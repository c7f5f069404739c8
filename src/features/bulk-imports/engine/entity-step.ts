import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { Entity } from '../bulk-import.js';
import type { SourceApi } from '../source/source-api.js';

/** Step of a pipeline at which something failed, as failures show it. */
export type FailureStep = 'extractor' | 'transformer' | 'loader' | 'after_run' | 'pipeline_worker_run';

/** Numbers of a relation, added to those that stand. */
export interface StepCounts {
  readonly source?: number;
  readonly fetched?: number;
  readonly imported?: number;
  readonly failed?: number;
}

/** One run of one relation of an entity: fenced (a run that has lost its job can change nothing), cancelled by `signal`. */
export interface StepRun {
  readonly entity: Entity;
  readonly relationId: number;
  readonly source: SourceApi;
  readonly signal: AbortSignal;
  /** Where a former run has stopped; null at the beginning. */
  readonly cursor: unknown;
  /** Where records go to: once the shell is made. */
  target(): Promise<ImportTarget>;
  /** A transaction in which the run still owns the relation, the import has not been cancelled, and whoever migrates may still do so. @throws when not */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Adds to the numbers and sets where the next run goes on, within `commit`. */
  progress(tx: Tx, counts: StepCounts, cursor?: unknown): Promise<void>;
  /** Records a failure within `commit`; the run goes on. */
  report(tx: Tx, step: FailureStep, error: unknown, title: string | null): Promise<void>;
}

/** What is done for one relation of an entity. What is thrown: `SourceBusy` is tried again later, anything else fails the relation. */
export interface EntityStep {
  readonly of: Portable;
  /** Name in records and progress, such as `labels` or `repository`. */
  readonly relation: string;
  readonly stage: number;
  /** Whether the entity fails with it: without a shell or code nothing else makes sense. */
  readonly failsEntity: boolean;
  /** Whether there is anything to do for this entity (memberships and projects can be left out). */
  applies(entity: Entity): boolean;
  /** Repeatable: goes on from `run.cursor`, and finds what a former run has made. */
  run(run: StepRun): Promise<void>;
}

/** The steps that are no plain records: the shells, members, children and repositories. Everything else comes from `Transfers`. */
export abstract class SpecialSteps {
  abstract all(): readonly EntityStep[];
}
