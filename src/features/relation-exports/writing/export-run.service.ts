import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { StagedFile } from './export-files.service.js';

/** An export claimed by a run. */
export interface ExportToWrite {
  readonly id: number;
  readonly of: Portable;
  readonly ownerId: number;
  readonly userId: number;
  readonly relation: string;
  readonly batched: boolean;
  /** Batches written by a previous run, and the record after which the next one begins. */
  readonly batches: number;
  readonly lastId: number;
}

/** A file of a new batch. */
export interface NewBatch extends StagedFile {
  readonly number: number;
  readonly objectsCount: number;
  readonly lastId: number;
}

/**
 * Thrown if the export was restarted or removed, or belongs to another run: the work of this run is
 * discarded.
 */
export class ExportGone extends Error {
  override readonly name = 'ExportGone';
}

const CLAIM = `update relation_exports e set status = 'started', run_token = $2, updated_at = now()
  where id = $1 and status in ('pending', 'started')
  returning id, case when group_id is null then 'project' else 'group' end as of, coalesce(group_id, project_id) as "ownerId",
    user_id as "userId", relation, batched,
    (select count(*)::int from relation_export_batches b where b.export_id = e.id) as batches,
    (select coalesce(max(last_id), 0) from relation_export_batches b where b.export_id = e.id) as "lastId"`;

const OWNED = `where id = $1 and run_token = $2 and status = 'started' returning id`;

const COUNT = `update relation_exports set objects_count = objects_count + $3, updated_at = now() ${OWNED}`;

const ADD = `insert into relation_export_batches (export_id, batch_number, objects_count, last_id, object_key, size_bytes, sha256)
  values ($1, $2, $3, $4, $5, $6, $7)`;

const END = `update relation_exports set status = $3, error = $4, run_token = null, updated_at = now() ${OWNED}`;

/** Steps of writing an export: each asserts that the run still owns it. */
@Injectable()
export class ExportRunService {
  constructor(
    private readonly transactions: Transactions,
    private readonly claims: ObjectClaims,
  ) {}

  /** Claims an unwritten export; null if it no longer exists. */
  async claim(exportId: number, { runToken }: JobContext): Promise<ExportToWrite | null> {
    const [rows] = await this.transactions.run((tx) =>
      tx.query<[ExportToWrite[], number]>(CLAIM, [exportId, runToken]),
    );
    return rows[0] ?? null;
  }

  /** Records that a long file is still being written. @throws ExportGone */
  touch(exportId: number, context: JobContext): Promise<void> {
    return this.transactions.run((tx) => own(tx, COUNT, [exportId, context.runToken, 0]));
  }

  /** Adds a file; ends the export if it is the only one. @throws ExportGone */
  add(exportId: number, context: JobContext, batch: NewBatch, isLast: boolean): Promise<void> {
    return this.transactions.run(async (tx) => {
      await own(tx, COUNT, [exportId, context.runToken, batch.objectsCount]);
      await this.claims.keep(tx, batch.key);
      const { number, objectsCount, lastId, key, size, sha256 } = batch;
      await tx.query(ADD, [exportId, number, objectsCount, lastId, key, size, sha256]);
      if (isLast) await end(tx, exportId, context, null);
    });
  }

  /** Ends the export: finished, or failed with a reason. @throws ExportGone */
  end(exportId: number, context: JobContext, error: string | null): Promise<void> {
    return this.transactions.run((tx) => end(tx, exportId, context, error));
  }

  /** Fails the export after its job has failed permanently. @throws ExportGone */
  fail(exportId: number, { runToken }: JobContext, error: string): Promise<void> {
    return this.transactions.run((tx) => own(tx, END, [exportId, runToken, 'failed', error]));
  }
}

/** Completes the job in the same transaction. */
async function end(tx: Tx, exportId: number, context: JobContext, error: string | null): Promise<void> {
  await own(tx, END, [exportId, context.runToken, error === null ? 'finished' : 'failed', error]);
  await context.complete(tx);
}

async function own(tx: Tx, text: string, values: readonly unknown[]): Promise<void> {
  const [, changed] = await tx.query<[unknown[], number]>(text, [...values]);
  if (changed === 0) throw new ExportGone();
}
