import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { conflict } from '#kernel/http/errors.js';
import { CancelBulkImport } from '../../engine/control/cancel-bulk-import.use-case.js';
import { ResumeEntities, type Resumption } from '../../engine/control/resume-entities.use-case.js';

const REFUSALS: Readonly<Record<Exclude<Resumption, 'resumed'>, string>> = {
  not_failed: 'Only an entity that has failed, or relations of it, can be resumed',
  token_forgotten: 'The access token of the source is no longer kept: migrate again',
};

/** Cancels migrations, and resumes their failed entities. */
@Injectable()
export class ControlBulkImport {
  constructor(
    private readonly transactions: Transactions,
    private readonly cancellation: CancelBulkImport,
    private readonly resuming: ResumeEntities,
  ) {}

  /** Cancels an import; does nothing if it has ended. */
  async cancel(importId: number): Promise<void> {
    await this.transactions.run((tx) => this.cancellation.run(tx, importId));
  }

  /**
   * Resumes an entity. @throws 409 unless it, or one of its relations, has failed and the source token is
   * still stored
   */
  async resume(entityId: number): Promise<void> {
    const outcome = await this.transactions.run((tx) => this.resuming.run(tx, entityId));
    if (outcome !== 'resumed') throw conflict(REFUSALS[outcome]);
  }
}
