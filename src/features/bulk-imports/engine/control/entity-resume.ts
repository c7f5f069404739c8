import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StartImport } from '../jobs/start-import.job.js';

/** What came of the wish to resume an entity. */
export type Resumption = 'resumed' | 'not_failed' | 'token_forgotten';

const LOCK_IMPORT = `select i.id, i.source_token_sealed is not null as "hasToken" from bulk_imports i
  join bulk_import_entities e on e.bulk_import_id = i.id where e.id = $1 for no key update of i`;

const LOCK = `select status from bulk_import_entities where id = $1 for no key update`;

/** Relations go on where they have stopped: after the last batch that was committed. */
const REOPEN = `with reopened as (
    update bulk_import_relations set status = 'created', retries = '{}', waiting_since = null, run_token = null, updated_at = now()
    where entity_id = $1 and status in ('failed', 'skipped', 'canceled') returning relation)
  delete from bulk_import_failures where entity_id = $1 and step = 'pipeline_worker_run'`;

const START = `update bulk_import_entities set status = 'created', canceled = false, timed_out = false, has_failures = false,
  updated_at = now() where id = $1`;

const START_IMPORT = `update bulk_imports set status = 'started', canceled = false, timed_out = false, updated_at = now() where id = $1`;

/** Takes failed entities up again. */
@Injectable()
export class EntityResume {
  constructor(private readonly jobs: Jobs) {}

  /**
   * A failed entity goes on with the relations that have not been brought over; those that have finished stay. The reasons for which it had failed are
   * forgotten, those of single records are not. It waits for a place among the entities of its import like a new one.
   */
  async resume(tx: Tx, entityId: number): Promise<Resumption> {
    const [found] = await tx.query<{ id: number; hasToken: boolean }[]>(LOCK_IMPORT, [entityId]);
    const [entity] = await tx.query<{ status: string }[]>(LOCK, [entityId]);
    if (!found || entity?.status !== 'failed') return 'not_failed';
    if (!found.hasToken) return 'token_forgotten';
    await tx.query(REOPEN, [entityId]);
    await tx.query(START, [entityId]);
    await tx.query(START_IMPORT, [found.id]);
    await this.jobs.enqueue(tx, StartImport, { importId: found.id });
    return 'resumed';
  }
}
