import type { ImportTarget } from '#core/exchange/import-target.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { Failure } from '../failure.row.js';

/** A validated record. */
export interface PreparedRow {
  /** Key of the record at the source, unique within the relation. */
  readonly key: string;
  readonly row: unknown;
  readonly record: SourceRecord;
  readonly title: string | null;
}

/** Records to be written in one transaction. */
export interface PreparedBatch {
  readonly target: ImportTarget;
  readonly rows: readonly PreparedRow[];
  /** Failures of skipped records. */
  readonly failures: readonly Failure[];
  readonly fetched: number;
}
