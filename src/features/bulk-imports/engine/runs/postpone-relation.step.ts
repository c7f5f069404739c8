import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import type { SourceBusy } from '../../source/source-errors.js';
import { ImportLimits } from '../import-limits.js';
import { RunRelationJob } from '../jobs/run-relation.job.js';
import type { TurnOver } from '../records/turn.js';
import type { RelationRun } from './relation-run.js';

const COUNT = `update bulk_import_relations set retries = jsonb_set(retries, array[$2], to_jsonb(coalesce((retries->>$2)::int, 0) + 1))
  where id = $1 returning (retries->>$2)::int as count`;

const SET_TURNS = `update bulk_import_relations set retries = jsonb_set(retries, '{turns}', to_jsonb($2::int)) where id = $1`;

const ENQUEUE = `update bulk_import_relations set status = 'enqueued', run_token = null, updated_at = now() where id = $1`;

/** Ends a run before its relation has ended, and enqueues another one. */
@Injectable()
export class PostponeRelationStep {
  constructor(
    private readonly jobs: Jobs,
    private readonly limits: ImportLimits,
  ) {}

  /** Postpones it until the export may be finished. @throws RunEnded */
  async forExport(run: RelationRun, pauseMs: number): Promise<void> {
    await run.keep((tx) => this.enqueue(tx, run, pauseMs));
  }

  /** Postpones it behind waiting jobs, for longer if the last turn made no progress. @throws RunEnded */
  async forNextTurn(run: RelationRun, { isGain }: TurnOver): Promise<void> {
    await run.keep(async (tx) => {
      await tx.query(SET_TURNS, [run.relationId, run.claimed.turns + (isGain ? 0 : 1)]);
      await this.enqueue(tx, run, 0);
    });
  }

  /**
   * Postpones it as long as the source asks; false, without any change, if it was busy too often. @throws
   * RunEnded
   */
  async afterFailure(run: RelationRun, { kind, retryAfterMs }: SourceBusy): Promise<boolean> {
    return run.keep(async (tx) => {
      const [rows] = await tx.query<[[{ count: number }], number]>(COUNT, [run.relationId, kind]);
      if (rows[0].count > this.limits.retriesOfKind) return false;
      await this.enqueue(tx, run, retryAfterMs);
      return true;
    });
  }

  private async enqueue(tx: Tx, { relationId }: RelationRun, delayMs: number): Promise<void> {
    await tx.query(ENQUEUE, [relationId]);
    await this.jobs.enqueue(tx, RunRelationJob, { relationId }, { delayMs });
  }
}
