import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { Entity } from '../../bulk-import.js';
import { RunRelationJob } from '../jobs/run-relation.job.js';
import { StartImportJob } from '../jobs/start-import.job.js';

const COUNT = `select count(*) filter (where status in ('enqueued', 'started'))::int as running,
    count(*) filter (where status = 'created')::int as waiting, count(*) filter (where status = 'finished')::int as finished,
    count(*) filter (where status = 'failed')::int as failed
  from bulk_import_relations where entity_id = $1`;

const NEXT = `update bulk_import_relations set status = 'enqueued', updated_at = now()
  where entity_id = $1 and status = 'created' and stage = (select min(stage) from bulk_import_relations
    where entity_id = $1 and status = 'created') returning id`;

const SKIP = `update bulk_import_relations set status = 'skipped', run_token = null, updated_at = now()
  where entity_id = $1 and status in ('created', 'enqueued', 'started')`;

const END = `update bulk_import_entities set status = $2, updated_at = now(),
    has_failures = exists (select from bulk_import_failures f where f.entity_id = $1)
  where id = $1 and status in ('created', 'started')`;

/**
 * Runs the relations of an entity by stage: those of a stage start when all earlier stages have ended.
 * Callers hold the lock of the entity.
 */
@Injectable()
export class EntityStagesService {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Starts the next stage, or ends the entity after its last one; does nothing while relations of the present
   * stage run.
   */
  async advance(tx: Tx, entity: Pick<Entity, 'id' | 'importId'>): Promise<void> {
    const [counts] = await tx.query<[{ running: number; waiting: number; finished: number; failed: number }]>(
      COUNT,
      [entity.id],
    );
    if (counts.running > 0) return;
    if (counts.waiting === 0) {
      await this.end(tx, entity, counts.failed > 0 && counts.finished === 0 ? 'failed' : 'finished');
      return;
    }
    const [rows] = await tx.query<[{ id: number }[], number]>(NEXT, [entity.id]);
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    for (const relationId of ids) await this.jobs.enqueue(tx, RunRelationJob, { relationId });
    // The finished stage may have added children.
    await this.jobs.enqueue(tx, StartImportJob, { importId: entity.importId });
  }

  /** Ends an entity that cannot continue; the rest is not imported. */
  async fail(tx: Tx, entity: Pick<Entity, 'id' | 'importId'>): Promise<void> {
    await tx.query(SKIP, [entity.id]);
    await this.end(tx, entity, 'failed');
  }

  private async end(
    tx: Tx,
    { id, importId }: Pick<Entity, 'id' | 'importId'>,
    status: 'finished' | 'failed',
  ): Promise<void> {
    await tx.query(END, [id, status]);
    await this.jobs.enqueue(tx, StartImportJob, { importId });
  }
}
