import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { conflict } from '#kernel/http/errors.js';
import { CancelBulkImport } from '../../engine/control/cancel-bulk-import.use-case.js';
import { ResumeEntities, type Resumption } from '../../engine/control/resume-entities.use-case.js';

const REFUSALS: Readonly<Record<Exclude<Resumption, 'resumed'>, string>> = {
  not_failed: 'Only an entity that has failed, or relations of it, can be resumed',
  token_forgotten: 'The access token of the source is no longer kept: migrate again',
};

/** Stops migrations, and takes up what has failed of them. */
@Injectable()
export class ControlBulkImport {
  constructor(
    private readonly transactions: Transactions,
    private readonly cancellation: CancelBulkImport,
    private readonly resuming: ResumeEntities,
  ) {}

  /** Stops an import; one that has ended stays as it is. */
  async cancel(importId: number): Promise<void> {
    await this.transactions.run((tx) => this.cancellation.run(tx, importId));
  }

  /** Has an entity go on. @throws 409 unless it, or relations of it, has failed and the source can still be asked */
  async resume(entityId: number): Promise<void> {
    const outcome = await this.transactions.run((tx) => this.resuming.run(tx, entityId));
    if (outcome !== 'resumed') throw conflict(REFUSALS[outcome]);
  }
}
