import type { Transactions, Tx } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import type { ImportTarget, SourceUser } from '#core/exchange/import-target.js';
import type { SourceApi } from '../../source/source-api.js';
import type { FailureStep, StepCounts, StepRun } from '../entity-step.js';
import type { EntityRow } from '../entity.row.js';
import type { FailureRows } from '../failure.row.js';
import type { ImportLimits } from '../import-limits.js';
import { Turn } from '../records/turn.js';
import { EntityTarget } from '../target/entity-target.js';
import type { TargetFacts, TargetFinder } from '../target/target.finder.js';
import type { TargetPolicy } from '../target/target.policy.js';
import type { ClaimedRelation } from './claimed-relation.js';
import { RunEnded } from './run-ended.js';

const LOCK = `select 1 from bulk_import_relations where id = $1 and run_token = $2 and status = 'started' for no key update`;

const PROGRESS = `update bulk_import_relations set source_count = source_count + $2, fetched_count = fetched_count + $3,
    imported_count = imported_count + $4, failed_count = failed_count + $5, updated_at = now(),
    cursor = case when $6::text is null then cursor else $6::jsonb end
  where id = $1`;

/** Dependencies of all runs. */
export interface RunServices {
  readonly transactions: Transactions;
  readonly targets: TargetFinder;
  readonly rights: TargetPolicy;
  readonly failures: FailureRows;
  readonly limits: ImportLimits;
}

/**
 * A run of a relation: it can change nothing once another run has claimed the relation, or the relation has
 * ended.
 */
export class RelationRun implements StepRun {
  readonly entity: EntityRow;
  readonly relationId: number;
  readonly turn: Turn;
  private facts: TargetFacts | undefined;

  constructor(
    readonly claimed: ClaimedRelation,
    readonly context: JobContext,
    readonly source: SourceApi,
    private readonly services: RunServices,
  ) {
    this.entity = claimed.entity;
    this.relationId = claimed.id;
    this.turn = new Turn(services.limits, claimed.turns);
  }

  get signal(): AbortSignal {
    return this.context.signal;
  }

  get cursor(): unknown {
    return this.claimed.cursor;
  }

  target(): Promise<ImportTarget> {
    return this.targetWith(new Map());
  }

  /** Returns the destination for records with these users. @throws TargetMissing */
  async targetWith(users: ReadonlyMap<number, SourceUser>): Promise<ImportTarget> {
    this.facts ??= await this.services.targets.of(this.entity);
    return new EntityTarget(this.entity, this.claimed.relation, this.facts, users, this.services.failures);
  }

  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.keep(async (tx) => {
      await this.services.rights.assertHeld(tx, this.entity);
      return work(tx);
    });
  }

  /** Runs a transaction about the run itself, which needs no right on the destination. */
  keep<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.services.transactions.run(async (tx) => {
      await this.lock(tx);
      return work(tx);
    });
  }

  assertAllowed(): Promise<void> {
    return this.commit(() => Promise.resolve());
  }

  /** Locks the relation for this run until `tx` ends. @throws RunEnded */
  async lock(tx: Tx): Promise<void> {
    this.signal.throwIfAborted();
    const rows = await tx.query<unknown[]>(LOCK, [this.relationId, this.context.runToken]);
    if (rows.length === 0) throw new RunEnded(`Relation ${this.relationId} no longer belongs to this run`);
  }

  async progress(tx: Tx, counts: StepCounts, cursor?: unknown): Promise<void> {
    const { source = 0, fetched = 0, imported = 0, failed = 0 } = counts;
    const position = cursor === undefined ? null : JSON.stringify(cursor);
    await tx.query(PROGRESS, [this.relationId, source, fetched, imported, failed, position]);
  }

  async report(tx: Tx, step: FailureStep, error: unknown, title: string | null): Promise<void> {
    await this.services.failures.add(tx, this.entity.id, this.claimed.relation, [{ step, error, title }]);
  }
}
