import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { EndImportStep } from '../states/end-import.step.js';

/** Stops migrations. */
@Injectable()
export class CancelBulkImport {
  constructor(private readonly ending: EndImportStep) {}

  /** The import and what has not ended of it are failed and cancelled; what has been brought over stays. False when the import had ended. */
  run(tx: Tx, importId: number): Promise<boolean> {
    return this.ending.early(tx, importId, { canceled: true });
  }
}
