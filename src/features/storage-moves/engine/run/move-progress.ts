import { Logger } from '@nestjs/common';
import type { Transactions } from '#kernel/database/transactions.js';
import type { CopyProgress } from '../copying/copy-repository.js';
import type { MoveRun } from './move-run.js';

const STORE = `update storage_moves set repositories_done = $3, repositories_total = $4, bytes_done = $5, bytes_total = $6,
  updated_at = now() where id = $1 and run_token = $2`;

/** Progress of a copy, stored with the move at intervals. */
export class MoveProgress implements CopyProgress {
  private readonly logger = new Logger('StorageMoves');
  private repositoriesDone = 0;
  private bytesDone = 0;
  private bytesTotal = 0;
  private storedAt = -Infinity;
  private storing: Promise<void> | null = null;

  constructor(
    private readonly transactions: Transactions,
    private readonly run: MoveRun,
    private readonly repositoriesTotal: number,
    private readonly everyMs: number,
  ) {}

  readonly expect = (bytes: number): void => {
    this.bytesTotal += bytes;
  };

  readonly add = (bytes: number): void => {
    this.bytesDone += bytes;
    if (this.storing || performance.now() - this.storedAt < this.everyMs) return;
    this.storedAt = performance.now();
    // Not awaited: a copy does not stop because its progress cannot be stored.
    this.storing = this.store()
      .catch((error: unknown) =>
        this.logger.warn(`The progress of move ${this.run.move.id} was not stored: ${String(error)}`),
      )
      .finally(() => (this.storing = null));
  };

  /** Counts a finished repository. */
  repositoryDone(): void {
    this.repositoriesDone += 1;
  }

  /** Stores the final progress, after running writes. */
  async settle(): Promise<void> {
    await this.storing;
    await this.store();
  }

  private async store(): Promise<void> {
    const { move, context } = this.run;
    const figures = [
      this.repositoriesDone,
      this.repositoriesTotal,
      Math.max(0, this.bytesDone),
      this.bytesTotal,
    ];
    await this.transactions.run((tx) => tx.query(STORE, [move.id, context.runToken, ...figures]));
  }
}
