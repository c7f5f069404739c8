import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { FailureRows } from '../failure.row.js';
import { EntityStagesService } from '../states/entity-stages.service.js';
import { EntityStepsService } from '../entity-steps.service.js';
import type { RelationRun } from './relation-run.js';

const LOCK_ENTITY = `select 1 from bulk_import_entities where id = $1 for no key update`;

const END = `update bulk_import_relations set status = $2, run_token = null, waiting_since = null, updated_at = now() where id = $1`;

/** Ends relations, and after the last one of a stage starts the next stage, in one transaction. */
@Injectable()
export class EndRelationStep {
  private readonly logger = new Logger('BulkImports');

  constructor(
    private readonly transactions: Transactions,
    private readonly failures: FailureRows,
    private readonly stages: EntityStagesService,
    private readonly steps: EntityStepsService,
  ) {}

  /** Ends a relation. @throws RunEnded if the run no longer owns it */
  async run(run: RelationRun, status: 'finished' | 'skipped'): Promise<void> {
    await this.end(run, status, undefined);
  }

  /** Fails a relation. @throws RunEnded if the run no longer owns it */
  async fail(run: RelationRun, error: unknown): Promise<void> {
    const { entity, claimed } = run;
    this.logger.warn(`${claimed.relation} of ${entity.of} entity ${entity.id} has failed: ${String(error)}`);
    await this.end(run, 'failed', error);
  }

  /** Locks the entity before the relation, in the order used everywhere. */
  private async end(run: RelationRun, status: string, error: unknown): Promise<void> {
    const { entity, claimed } = run;
    await this.transactions.run(async (tx) => {
      await tx.query(LOCK_ENTITY, [entity.id]);
      await run.lock(tx);
      await tx.query(END, [claimed.id, status]);
      if (status === 'failed') await this.failures.addEnd(tx, entity.id, claimed.relation, error);
      if (status === 'failed' && this.steps.failsEntity(entity.of, claimed.relation))
        await this.stages.fail(tx, entity);
      else await this.stages.advance(tx, entity);
    });
  }
}
