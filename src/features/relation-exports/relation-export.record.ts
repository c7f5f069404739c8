import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTime } from '#kernel/http/times.js';
import type { ExportBatchRow, ExportRow } from './relation-exports.queries.js';

/** Numbers that v4 clients compare: failed, running (or queued), finished. */
const STATUSES = { failed: -1, pending: 0, started: 0, finished: 1 } as const;

const Status = (): PropertyDecorator =>
  OneOf([-1, 0, 1], { description: '-1 failed, 0 in progress, 1 finished' });

/** A file of a relation. */
export class ExportBatchRecord {
  @Status()
  status!: number;

  @Count()
  batch_number!: number;

  @Count()
  objects_count!: number;

  @Text({ nullable: true })
  error!: string | null;

  @IsoTime()
  updated_at!: string;
}

/** Status of the export of a relation. */
export class RelationExportRecord {
  @Text({ example: 'labels' })
  relation!: string;

  @Status()
  status!: number;

  @Text({ nullable: true })
  error!: string | null;

  @IsoTime()
  updated_at!: string;

  @Flag()
  batched!: boolean;

  @Count({ description: '0 unless batched' })
  batches_count!: number;

  @Count({ description: 'Records written so far' })
  total_objects_count!: number;

  @ListOf(() => ExportBatchRecord, { optional: true, description: 'The files that can be fetched' })
  batches?: ExportBatchRecord[];
}

/** Presents an export with its files. */
export function presentExport(row: ExportRow, files: readonly ExportBatchRow[]): RelationExportRecord {
  return {
    relation: row.relation,
    status: STATUSES[row.status],
    error: row.error,
    updated_at: isoTime(row.updated_at),
    batched: row.batched,
    batches_count: row.batched ? files.length : 0,
    total_objects_count: row.objects_count,
    ...(row.batched ? { batches: files.map(presentBatch) } : {}),
  };
}

const presentBatch = (row: ExportBatchRow): ExportBatchRecord => ({
  status: STATUSES.finished,
  batch_number: row.batch_number,
  objects_count: row.objects_count,
  error: null,
  updated_at: isoTime(row.updated_at),
});
