import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { leasedSql } from '#kernel/queue/outbox/leased.sql.js';
import { ENTITIES, type EntityRow } from '../entity.row.js';
import { EndImportStep } from '../states/end-import.step.js';
import type { ClaimedRelation } from './claimed-relation.js';

const FIND_ENTITY = `${ENTITIES} where e.id = (select entity_id from bulk_import_relations where id = $1)`;

const LOCK = `select id, relation, cursor, batch_number as "batchNumber", lines_done as "linesDone",
    coalesce((retries->>'turns')::int, 0) as turns
  from bulk_import_relations where id = $1 and status in ('enqueued', 'started') for no key update`;

/** A second job for a relation that another job is running has nothing to do. */
const IS_CARRIED_OUT = `select 1 from bulk_import_relations r join ${leasedSql('run_token', 'running')} j
    on j.run_token::text = r.run_token
  where r.id = $1 and r.run_token <> $2`;

const TAKE = `update bulk_import_relations set status = 'started', run_token = $2, updated_at = now() where id = $1`;

/** Thrown if the importing user is no longer active. */
class ImporterInactive extends Error {
  override readonly name = 'ImporterInactive';

  constructor() {
    super('The importing user is no longer active');
  }
}

/** Decides whether a run may import a relation, and takes it over from a previous run. */
@Injectable()
export class ClaimRelationStep {
  constructor(
    private readonly transactions: Transactions,
    private readonly ending: EndImportStep,
  ) {}

  /** Claims the relation; null if there is nothing to do. */
  claim(relationId: number, context: JobContext): Promise<ClaimedRelation | null> {
    return this.transactions.run(async (tx) => {
      const [entity] = await tx.query<EntityRow[]>(FIND_ENTITY, [relationId]);
      if (!entity || !(await this.mayGoOn(tx, entity))) return null;
      const [relation] = await tx.query<Omit<ClaimedRelation, 'entity'>[]>(LOCK, [relationId]);
      if (!relation) return null;
      const others = await tx.query<unknown[]>(IS_CARRIED_OUT, [relationId, context.runToken]);
      if (others.length > 0) return null;
      await tx.query(TAKE, [relationId, context.runToken]);
      return { ...relation, entity };
    });
  }

  /** Returns whether an entity is being imported by an active user; otherwise ends the import. */
  async mayGoOn(tx: Tx, entity: EntityRow): Promise<boolean> {
    if (entity.status !== 'started' || entity.importStatus !== 'started') return false;
    if (entity.importerIsActive) return true;
    await this.ending.early(tx, entity.importId, { reason: new ImporterInactive() });
    return false;
  }
}
