import { Injectable, Logger } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ENTITIES, type EntityRow } from '../entity.row.js';
import { FailureRows } from '../failure.row.js';
import { ImportLimits } from '../import-limits.js';
import { StartEntityJob } from '../jobs/start-entity.job.js';
import { ClaimRelationStep } from '../runs/claim-relation.step.js';
import { EntityStepsService } from '../entity-steps.service.js';
import { EntityStagesService } from './entity-stages.service.js';

const LOCK = `select 1 from bulk_import_entities where id = $1 and status = 'started' for no key update`;

const IS_RUNNING = `select 1 from bulk_import_relations where entity_id = $1 and status in ('enqueued', 'started') limit 1`;

const FOUND = `update bulk_import_entities set source_id = $2, updated_at = now() where id = $1`;

const LIST = `insert into bulk_import_relations (entity_id, relation, stage)
  select $1, given.* from unnest($2::text[], $3::integer[]) as given(relation, stage) order by given.stage
  on conflict (entity_id, relation) do nothing`;

/** Starts an entity, also one that is resumed. */
@Injectable()
export class BeginEntityStep {
  private readonly logger = new Logger('BulkImports');

  constructor(
    private readonly transactions: Transactions,
    private readonly claiming: ClaimRelationStep,
    private readonly steps: EntityStepsService,
    private readonly stages: EntityStagesService,
    private readonly failures: FailureRows,
    private readonly jobs: Jobs,
    private readonly limits: ImportLimits,
  ) {}

  /** Returns the entity; null if it must not start, or has started. */
  find(entityId: number): Promise<EntityRow | null> {
    return this.transactions.run(async (tx) => {
      const [entity] = await tx.query<EntityRow[]>(`${ENTITIES} where e.id = $1`, [entityId]);
      if (!entity || !(await this.claiming.mayGoOn(tx, entity))) return null;
      return (await this.isRunning(tx, entityId)) ? null : entity;
    });
  }

  /** Lists the relations of an entity, and starts the first unfinished stage. */
  async begin(entity: EntityRow, sourceId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await this.lock(tx, entity))) return;
      const relations = this.steps.relationsOf(entity);
      await tx.query(FOUND, [entity.id, sourceId]);
      await tx.query(LIST, [
        entity.id,
        relations.map(({ relation }) => relation),
        relations.map(({ stage }) => stage),
      ]);
      await this.stages.advance(tx, entity);
    });
  }

  /** Retries after a delay; false if there were too many attempts. */
  async again(entity: EntityRow, busy: number, delayMs: number): Promise<boolean> {
    if (busy > this.limits.retriesOfKind) return false;
    await this.transactions.run((tx) =>
      this.jobs.enqueue(tx, StartEntityJob, { entityId: entity.id, busy }, { delayMs }),
    );
    return true;
  }

  /** Ends an entity that cannot start. */
  async fail(entity: EntityRow, error: unknown): Promise<void> {
    this.logger.warn(`The ${entity.of} entity ${entity.id} cannot start: ${String(error)}`);
    await this.transactions.run(async (tx) => {
      if (!(await this.lock(tx, entity))) return;
      await this.failures.addEnd(tx, entity.id, 'export_request', error);
      await this.stages.fail(tx, entity);
    });
  }

  /** Returns whether the entity is still to be started; locks it until `tx` ends. */
  private async lock(tx: Tx, { id }: EntityRow): Promise<boolean> {
    const rows = await tx.query<unknown[]>(LOCK, [id]);
    return rows.length > 0 && !(await this.isRunning(tx, id));
  }

  private async isRunning(tx: Tx, entityId: number): Promise<boolean> {
    return (await tx.query<unknown[]>(IS_RUNNING, [entityId])).length > 0;
  }
}
