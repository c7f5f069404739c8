import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { FailureRows } from '../failure.row.js';

/** How an import ends early. */
export interface EarlyEnd {
  readonly canceled?: boolean;
  readonly timedOut?: boolean;
  /** Recorded as a failure of each unfinished entity. */
  readonly reason?: Error;
}

const LOCK = `select id from bulk_imports where id = $1 and status in ('created', 'started') for no key update`;

const END_ENTITIES = `with open as (select id from bulk_import_entities
    where bulk_import_id = $1 and status in ('created', 'started') order by id for no key update)
  update bulk_import_entities e set status = 'failed', canceled = $2, timed_out = $3, updated_at = now(),
    has_failures = $4 or exists (select from bulk_import_failures f where f.entity_id = e.id)
  from open where e.id = open.id returning e.id`;

const END_RELATIONS = `update bulk_import_relations set status = 'canceled', run_token = null, updated_at = now()
  where entity_id = any($1::bigint[]) and status in ('created', 'enqueued', 'started')`;

const END_IMPORT = `update bulk_imports i set status = 'failed', canceled = $2, timed_out = $3, updated_at = now(),
    has_failures = exists (select from bulk_import_entities e where e.bulk_import_id = i.id and e.has_failures)
  where id = $1`;

/** Ends an import with everything unfinished in it; runs notice at their next write. */
@Injectable()
export class EndImportStep {
  constructor(private readonly failures: FailureRows) {}

  /** Ends it; false if it had ended. */
  async early(
    tx: Tx,
    importId: number,
    { canceled = false, timedOut = false, reason }: EarlyEnd,
  ): Promise<boolean> {
    const locked = await tx.query<unknown[]>(LOCK, [importId]);
    if (locked.length === 0) return false;
    const [entities] = await tx.query<[{ id: number }[], number]>(END_ENTITIES, [
      importId,
      canceled,
      timedOut,
      reason !== undefined,
    ]);
    const ids = entities.map(({ id }) => id);
    if (reason) for (const id of ids) await this.failures.addEnd(tx, id, 'bulk_import', reason);
    await tx.query(END_RELATIONS, [ids]);
    await tx.query(END_IMPORT, [importId, canceled, timedOut]);
    return true;
  }
}
