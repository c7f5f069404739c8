import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StartImportJob } from '../jobs/start-import.job.js';

/** Result of resuming an entity. */
export type Resumption = 'resumed' | 'not_failed' | 'token_forgotten';

const LOCK_IMPORT = `select i.id, i.source_token_sealed is not null as "hasToken" from bulk_imports i
  join bulk_import_entities e on e.bulk_import_id = i.id where e.id = $1 for no key update of i`;

/** An entity that ended without some of its relations is not failed, but they can still be imported later. */
const LOCK = `select status = 'failed' or (status = 'finished' and exists (select from bulk_import_relations r
    where r.entity_id = e.id and r.status = 'failed')) as "hasFailed"
  from bulk_import_entities e where id = $1 for no key update`;

/**
 * Relations continue after the last committed batch. Lists are read from their first page again, since they
 * may have changed.
 */
const REOPEN = `with old as (
    select id, relation, jsonb_typeof(cursor) is not distinct from 'number' as "isList" from bulk_import_relations
    where entity_id = $1 and status in ('failed', 'skipped', 'canceled') for no key update),
  reopened as (
    update bulk_import_relations r set status = 'created', retries = '{}', waiting_since = null, run_token = null, updated_at = now(),
      cursor = case when old."isList" then null else r.cursor end, source_count = case when old."isList" then 0 else r.source_count end,
      fetched_count = case when old."isList" then 0 else r.fetched_count end, failed_count = case when old."isList" then 0 else r.failed_count end
    from old where r.id = old.id)
  delete from bulk_import_failures where entity_id = $1
    and (step = 'pipeline_worker_run' or relation in (select relation from old where "isList"))`;

const START = `update bulk_import_entities set status = 'created', canceled = false, timed_out = false, has_failures = false,
  updated_at = now() where id = $1`;

const START_IMPORT = `update bulk_imports set status = 'started', canceled = false, timed_out = false, updated_at = now() where id = $1`;

/** Resumes failed entities. */
@Injectable()
export class ResumeEntities {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Resumes an entity that failed, or ended without some of its relations, with those that were not imported;
   * finished ones are kept. Failures of relations are removed, those of single records kept. It waits for a
   * slot of its import like a new one.
   */
  async run(tx: Tx, entityId: number): Promise<Resumption> {
    const [found] = await tx.query<{ id: number; hasToken: boolean }[]>(LOCK_IMPORT, [entityId]);
    const [entity] = await tx.query<{ hasFailed: boolean }[]>(LOCK, [entityId]);
    if (!found || entity?.hasFailed !== true) return 'not_failed';
    if (!found.hasToken) return 'token_forgotten';
    await tx.query(REOPEN, [entityId]);
    await tx.query(START, [entityId]);
    await tx.query(START_IMPORT, [found.id]);
    await this.jobs.enqueue(tx, StartImportJob, { importId: found.id });
    return 'resumed';
  }
}
