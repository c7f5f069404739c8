import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Portable } from '#core/exchange/relation-export.js';

/** Owner of exports: each user has a separate set per group or project. */
export interface ExportsOf {
  readonly of: Portable;
  /** Id of the group or project. */
  readonly ownerId: number;
  readonly userId: number;
}

/** Row of an export. */
export interface ExportRow {
  readonly id: number;
  readonly relation: string;
  readonly status: 'pending' | 'started' | 'finished' | 'failed';
  readonly error: string | null;
  readonly batched: boolean;
  readonly objects_count: number;
  readonly updated_at: Date;
}

/** Row of a file of an export. */
export interface ExportBatchRow {
  readonly export_id: number;
  readonly batch_number: number;
  readonly objects_count: number;
  readonly updated_at: Date;
}

/** A stored file. */
export interface StoredBatch {
  readonly object_key: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly updated_at: Date;
}

/** Column of `relation_exports` for the group or project. */
export const OWNER_COLUMNS = { group: 'group_id', project: 'project_id' } as const satisfies Record<
  Portable,
  string
>;

const exportsOf = (
  of: Portable,
): string => `select id, relation, status, error, batched, objects_count, updated_at
  from relation_exports where ${OWNER_COLUMNS[of]} = $1 and user_id = $2 and ($3::text is null or relation = $3) order by relation`;

const BATCHES = `select export_id, batch_number, objects_count, updated_at from relation_export_batches
  where export_id = any($1::bigint[]) order by export_id, batch_number`;

const STORED = `select object_key, size_bytes, sha256, updated_at from relation_export_batches
  where export_id = $1 and batch_number = $2`;

/** Reads exports. */
@Injectable()
export class RelationExportsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists all exports, or that of one relation. */
  list({ of, ownerId, userId }: ExportsOf, relation: string | null): Promise<ExportRow[]> {
    return this.database.short<ExportRow>(exportsOf(of), [ownerId, userId, relation]);
  }

  /** Lists the files of batched exports. */
  async batches(rows: readonly ExportRow[]): Promise<ExportBatchRow[]> {
    const ids = rows.filter(({ batched }) => batched).map(({ id }) => id);
    return ids.length === 0 ? [] : this.database.long<ExportBatchRow>(BATCHES, [ids]);
  }

  /** Returns a file, or null. */
  stored(exportId: number, batchNumber: number): Promise<StoredBatch | null> {
    return this.database.one<StoredBatch>(STORED, [exportId, batchNumber]);
  }
}
