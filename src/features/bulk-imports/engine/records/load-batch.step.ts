import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Loads } from '#kernel/statistics/loads.js';
import type { RelationPart, RelationPipeline } from '#core/exchange/relation-pipeline.js';
import { FailureRows, type Failure } from '../failure.row.js';
import type { RelationRun } from '../runs/relation-run.js';
import { isOfData } from './is-of-data.js';
import type { PreparedBatch, PreparedRow } from './prepared-batch.js';

const KNOWN = `select source_key as key from bulk_import_records
  where entity_id = $1 and relation = $2 and source_key = any($3::text[])`;

const KEEP = `insert into bulk_import_records (entity_id, relation, source_key, destination_id)
  select $1, $2, given.* from unnest($3::text[], $4::bigint[]) as given`;

/** Recipients of the rows of a batch. */
export interface Takers {
  readonly pipeline: RelationPipeline;
  readonly parts: readonly RelationPart[];
}

/** Writes batches: each record once; only records that cannot be written are skipped. */
@Injectable()
export class LoadBatchStep {
  constructor(
    private readonly failures: FailureRows,
    private readonly loads: Loads,
  ) {}

  /**
   * Writes a batch with its keys and failures, within a commit of the run; returns the numbers of written and
   * skipped records.
   */
  async run(
    tx: Tx,
    run: RelationRun,
    takers: Takers,
    batch: PreparedBatch,
  ): Promise<{ readonly imported: number; readonly failed: number }> {
    const failures = [...batch.failures];
    const rows = await this.unknown(tx, run, batch.rows);
    const imported = await this.halving(tx, run, takers, { ...batch, rows }, failures);
    await this.failures.add(tx, run.entity.id, run.claimed.relation, failures);
    await this.loads.note(tx, imported);
    return { imported, failed: failures.length };
  }

  private async unknown(
    tx: Tx,
    { entity, claimed }: RelationRun,
    rows: readonly PreparedRow[],
  ): Promise<readonly PreparedRow[]> {
    if (rows.length === 0) return rows;
    const keys = rows.map(({ key }) => key);
    const known = await tx.query<{ key: string }[]>(KNOWN, [entity.id, claimed.relation, keys]);
    if (known.length === 0) return rows;
    const names = new Set(known.map(({ key }) => key));
    return rows.filter(({ key }) => !names.has(key));
  }

  /** If the rows cannot be written together, tries each half separately, down to single rows. */
  private async halving(
    tx: Tx,
    run: RelationRun,
    takers: Takers,
    batch: PreparedBatch,
    failures: Failure[],
  ): Promise<number> {
    const { rows } = batch;
    const [only] = rows;
    if (!only) return 0;
    await tx.query('savepoint batch');
    try {
      await this.write(tx, run, takers, batch);
      await tx.query('release savepoint batch');
      return rows.length;
    } catch (error) {
      if (!isOfData(error)) throw error;
      await tx.query('rollback to savepoint batch');
      await tx.query('release savepoint batch');
      if (rows.length === 1) {
        failures.push({ step: 'loader', error, title: only.title });
        return 0;
      }
    }
    const middle = Math.ceil(rows.length / 2);
    const first = await this.halving(tx, run, takers, { ...batch, rows: rows.slice(0, middle) }, failures);
    return first + (await this.halving(tx, run, takers, { ...batch, rows: rows.slice(middle) }, failures));
  }

  private async write(
    tx: Tx,
    { entity, claimed }: RelationRun,
    { pipeline, parts }: Takers,
    { target, rows }: PreparedBatch,
  ): Promise<void> {
    const ids = await pipeline.load(
      tx,
      target,
      rows.map(({ row }) => row),
    );
    if (ids.length !== rows.length)
      throw new Error(`${claimed.relation} returns ${ids.length} ids for ${rows.length} records`);
    const keys = rows.map(({ key }) => key);
    await tx.query(KEEP, [entity.id, claimed.relation, keys, ids]);
    const loaded = rows.flatMap(({ record }, index) => {
      const id = ids[index];
      return typeof id === 'number' ? [{ record, id }] : [];
    });
    if (loaded.length > 0) for (const part of parts) await part.load(tx, target, loaded);
  }
}
