import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { EndImportStep } from '../states/end-import.step.js';

/** Cancels migrations. */
@Injectable()
export class CancelBulkImport {
  constructor(private readonly ending: EndImportStep) {}

  /**
   * Marks the import and its unfinished parts as failed and canceled; everything imported so far is kept.
   * False if the import had ended.
   */
  run(tx: Tx, importId: number): Promise<boolean> {
    return this.ending.early(tx, importId, { canceled: true });
  }
}
