import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { RowsApart } from '#kernel/queue/rows-apart.js';
import { ImportLimits } from '../engine/import-limits.js';
import { EndImportStep } from '../engine/states/end-import.step.js';

/** Imports that have not changed for long. */
const STALE = `select i.id from bulk_imports i
  where i.id > $2 and i.status in ('created', 'started') and i.updated_at < now() - $1 * interval '1 hour'
    and not exists (select from bulk_import_entities e where e.bulk_import_id = i.id and (
      e.updated_at >= now() - $1 * interval '1 hour' or exists (select from bulk_import_relations r
        where r.entity_id = e.id and r.updated_at >= now() - $1 * interval '1 hour')))
  order by i.id limit 100`;

const FORGET = `update bulk_imports set source_token_sealed = null
  where status in ('finished', 'failed') and source_token_sealed is not null and updated_at < now() - $1 * interval '1 hour'`;

/** Thrown for an import without progress for too long. */
class ImportTimeout extends Error {
  override readonly name = 'ImportTimeout';
}

/** Ends old migrations and removes their tokens. */
@Injectable()
export class OldImportsService {
  private readonly logger = new Logger('BulkImports');

  constructor(
    private readonly transactions: Transactions,
    private readonly ending: EndImportStep,
    private readonly limits: ImportLimits,
  ) {}

  /** Ends imports without progress. @throws RowsLeft if one cannot be ended */
  async timeOut(signal: AbortSignal): Promise<void> {
    const apart = new RowsApart('imports without progress', signal);
    const after = (last: number): Promise<{ id: number }[]> =>
      this.transactions.run((tx) => tx.query<{ id: number }[]>(STALE, [this.limits.staleHours, last]));
    for (let stale = await after(0); stale.length > 0; stale = await after(stale.at(-1)?.id ?? 0))
      for (const { id } of stale) await apart.attempt(id, () => this.end(id));
    apart.end();
  }

  private async end(id: number): Promise<void> {
    this.logger.warn(`Import ${id} has timed out`);
    const reason = new ImportTimeout(`There was no progress for ${this.limits.staleHours} hours`);
    await this.transactions.run((tx) => this.ending.early(tx, id, { timedOut: true, reason }));
  }

  /** Removes the tokens of imports that ended long ago: failed entities can then no longer be resumed. */
  async forgetTokens(): Promise<void> {
    await this.transactions.run((tx) => tx.query(FORGET, [this.limits.staleHours]));
  }
}
