import type { Tx } from '#kernel/database/transactions.js';
import type { FilePart } from './files/record-files.service.js';
import type { RecordsCursor } from './lines/reading-cursor.js';

/** Result of a batch. */
export interface BatchCounts {
  readonly fetched: number;
  readonly imported: number;
  readonly failed: number;
}

/**
 * If the source did not report the number of records, it is known at the end of the file. The cursor also says when the file
 * was begun, and how many of its records failed: the source may rewrite it.
 */
const DONE = `update bulk_import_relations set fetched_count = fetched_count + $2, imported_count = imported_count + $3,
    failed_count = failed_count + $4, batch_number = case when $5 then $6 else batch_number end,
    lines_done = case when $5 then 0 else $7 end,
    cursor = $8::jsonb || jsonb_build_object('begun', case when lines_done > 0 then cursor->'begun' else to_jsonb(now()::timestamptz(3)) end,
      'failed', $4 + case when lines_done > 0 then coalesce((cursor->>'failed')::integer, 0) else 0 end),
    source_count = case when $5 then greatest(source_count, fetched_count + $2) else source_count end, updated_at = now()
  where id = $1`;

const RESTART = `update bulk_import_relations set batch_number = case when $2 then 0 else batch_number end, lines_done = 0,
  fetched_count = case when $2 then 0 else greatest(0, fetched_count - $3) end,
  failed_count = case when $2 then 0 else greatest(0, failed_count - coalesce((cursor->>'failed')::integer, 0)) end, updated_at = now() where id = $1`;

/** Records that are read again fail again. */
const FORGET_FAILURES = `delete from bulk_import_failures f using bulk_import_relations r
  where r.id = $1 and ($2 or f.created_at >= (r.cursor->>'begun')::timestamptz) and f.entity_id = r.entity_id and f.relation = r.relation and f.step <> 'pipeline_worker_run'`;

const NOTHING: BatchCounts = { fetched: 0, imported: 0, failed: 0 };

/** Records how far a relation has been read, in the transaction that writes its records. */
export async function noteProgress(
  tx: Tx,
  relationId: number,
  part: FilePart,
  { fetched, imported, failed }: BatchCounts = NOTHING,
): Promise<void> {
  if (part.kind === 'restart') {
    await tx.query(FORGET_FAILURES, [relationId, part.isWhole]);
    await tx.query(RESTART, [relationId, part.isWhole, part.lines]);
    return;
  }
  const { batched, digest, edition, batch } = part;
  const cursor: RecordsCursor = { batched, digest, edition };
  const [endsFile, linesDone] = part.kind === 'end' ? [true, 0] : [part.endsFile, part.lines.linesDone];
  const counts = [fetched, imported, failed];
  await tx.query(DONE, [relationId, ...counts, endsFile, batch, linesDone, JSON.stringify(cursor)]);
}
