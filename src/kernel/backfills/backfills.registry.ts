import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { registerGauge } from '#kernel/log/gauges.js';

/** Result of a backfill batch. */
export interface FilledBatch {
  /** Id of the last row examined; the next batch starts after it. */
  readonly position: number;
  /** Number of rows examined. */
  readonly rows: number;
}

/**
 * A change of existing rows after a migration, made in batches while the service is running. It must be
 * idempotent.
 */
export interface Backfill {
  /** `area.what`; never reused for anything else. */
  readonly name: string;
  /** Returns the approximate number of rows to examine. */
  total(tx: Tx): Promise<number>;
  /**
   * Changes some hundred rows after `position` (null: from the start) in the transaction; returns null if
   * there are none.
   */
  batch(tx: Tx, position: number | null): Promise<FilledBatch | null>;
}

const BEGIN = `insert into backfills (name) select unnest($1::text[]) on conflict (name) do nothing`;
const UNFINISHED = 'select count(*)::int as count from backfills where finished_at is null';

/** The backfills of this release. Their owners register them before the application starts. */
@Injectable()
export class BackfillsRegistry implements OnApplicationBootstrap {
  private readonly backfills = new Map<string, Backfill>();

  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
  ) {}

  /** Registers a backfill; it runs once the first worker that knows it has started. */
  register(backfill: Backfill): void {
    if (this.backfills.has(backfill.name)) throw new Error(`Back-fill ${backfill.name} is registered twice`);
    this.backfills.set(backfill.name, backfill);
  }

  /** In order of registration. */
  all(): readonly Backfill[] {
    return [...this.backfills.values()];
  }

  /**
   * Stores the names of this release's backfills in the table; from then on the job runs them, and the metric
   * counts them.
   */
  async onApplicationBootstrap(): Promise<void> {
    registerGauge(
      'backfills_unfinished',
      'Changes of existing rows that are not through',
      async () => (await this.database.always<{ count: number }>(UNFINISHED, [])).count,
      'max',
    );
    if (this.backfills.size === 0) return;
    await this.transactions.run((tx) => tx.query(BEGIN, [[...this.backfills.keys()]]));
  }
}
