import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { STAGES } from '#core/exchange/stages.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ImportLimits } from '../import-limits.js';
import { StartEntityJob } from '../jobs/start-entity.job.js';

const BEGIN = `update bulk_imports set status = 'started', updated_at = now()
  where id = $1 and status in ('created', 'started') returning id`;

/**
 * Groups with their epics must be complete before anything below them starts, also when both are resumed, or
 * are requested separately.
 */
const GROUP_IS_READY = `not exists (select from bulk_import_entities g
  where g.bulk_import_id = e.bulk_import_id and g.source_type = 'group_entity' and g.status in ('created', 'started')
    and starts_with(lower(e.source_full_path), lower(g.source_full_path) || '/')
    and (g.status = 'created' or not exists (select from bulk_import_relations r where r.entity_id = g.id)
      or exists (select from bulk_import_relations r where r.entity_id = g.id and r.stage < ${STAGES.group.projects}
        and r.status in ('created', 'enqueued', 'started'))))`;

const START = `with next as (
    select id from bulk_import_entities e where bulk_import_id = $1 and status = 'created' and ${GROUP_IS_READY} order by id
    limit greatest(0, $2 - (select count(*) from bulk_import_entities where bulk_import_id = $1 and status = 'started'))
    for no key update)
  update bulk_import_entities e set status = 'started', started_at = coalesce(e.started_at, now()), updated_at = now()
  from next where e.id = next.id returning e.id`;

/** The token is kept for entities that can be resumed. */
const END = `update bulk_imports i set updated_at = now(), has_failures = ended.has_failures,
    status = case when ended.failed = ended.entities then 'failed' else 'finished' end,
    source_token_sealed = case when ended.failed > 0 or ended.failed_relations > 0 then source_token_sealed end
  from (select count(*) as entities, count(*) filter (where status = 'failed') as failed, bool_or(has_failures) as has_failures,
    (select count(*) from bulk_import_relations r join bulk_import_entities e on e.id = r.entity_id
      where e.bulk_import_id = $1 and r.status = 'failed') as failed_relations
    from bulk_import_entities where bulk_import_id = $1) ended
  where i.id = $1 and not exists (select from bulk_import_entities where bulk_import_id = $1 and status in ('created', 'started'))`;

/** Schedules the entities of an import. */
@Injectable()
export class ImportEntitiesService {
  constructor(
    private readonly jobs: Jobs,
    private readonly limits: ImportLimits,
  ) {}

  /** Starts entities while slots are free, oldest first; ends the import if none is left. */
  async advance(tx: Tx, importId: number): Promise<void> {
    const [imports] = await tx.query<[unknown[], number]>(BEGIN, [importId]);
    if (imports.length === 0) return;
    const [started] = await tx.query<[{ id: number }[], number]>(START, [
      importId,
      this.limits.entitiesAtOnce,
    ]);
    for (const { id } of started) await this.jobs.enqueue(tx, StartEntityJob, { entityId: id, busy: 0 });
    if (started.length === 0) await tx.query(END, [importId]);
  }
}
