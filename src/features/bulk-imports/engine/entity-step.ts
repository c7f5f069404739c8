import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { Entity } from '../bulk-import.js';
import type { SourceApi } from '../source/source-api.js';
import type { Turn } from './records/turn.js';

/** Stage of a pipeline at which an error occurred, as shown in failures. */
export type FailureStep = 'extractor' | 'transformer' | 'loader' | 'after_run' | 'pipeline_worker_run';

/** Increments of the counters of a relation. */
export interface StepCounts {
  readonly source?: number;
  readonly fetched?: number;
  readonly imported?: number;
  readonly failed?: number;
}

/**
 * A run of a relation of an entity: fenced (a run that has lost its job can change nothing), and aborted by
 * `signal`.
 */
export interface StepRun {
  readonly entity: Entity;
  readonly relationId: number;
  readonly source: SourceApi;
  readonly signal: AbortSignal;
  /** How long the run may use lists of the source before others get their turn. */
  readonly turn: Turn;
  /** Where the previous run stopped; null at the start. */
  readonly cursor: unknown;
  /** Returns the destination of records, after the shell was created. */
  target(): Promise<ImportTarget>;
  /**
   * Runs a transaction in which the run still owns the relation, the import is not canceled, and the
   * importing user still has the right to it. @throws otherwise
   */
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Asserts the same before work outside of a commit; a source may have taken its time. @throws otherwise */
  assertAllowed(): Promise<void>;
  /** Adds to the counters and sets where the next run continues; within `commit`. */
  progress(tx: Tx, counts: StepCounts, cursor?: unknown): Promise<void>;
  /** Records a failure within `commit`; the run continues. */
  report(tx: Tx, step: FailureStep, error: unknown, title: string | null): Promise<void>;
}

/**
 * Imports a relation of an entity. Of its errors, `SourceBusy` causes a retry; any other fails the relation.
 */
export interface EntityStep {
  readonly of: Portable;
  /** Name in records and progress, such as `labels` or `repository`. */
  readonly relation: string;
  readonly stage: number;
  /** Whether its failure fails the entity: without the shell or code the rest is useless. */
  readonly failsEntity: boolean;
  /** Returns whether the entity needs this step (memberships and projects are optional). */
  applies(entity: Entity): boolean;
  /** Runs the step; idempotent: continues from `run.cursor`, and finds the results of a previous run. */
  run(run: StepRun): Promise<void>;
}

/**
 * Steps other than plain records: shells, members, children and repositories. All others come from
 * `ExchangesRegistry`.
 */
export abstract class SpecialSteps {
  abstract all(): readonly EntityStep[];
}
