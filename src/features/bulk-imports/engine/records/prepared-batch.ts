import type { ImportTarget } from '#core/exchange/import-target.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { TransformedRow } from '#core/exchange/relation-pipeline.js';
import type { Failure } from '../failure.row.js';

/** A record that has been checked. */
export interface PreparedRow extends TransformedRow<unknown> {
  readonly record: SourceRecord;
  readonly title: string | null;
}

/** Records that are ready to be written in one transaction. */
export interface PreparedBatch {
  readonly target: ImportTarget;
  readonly rows: readonly PreparedRow[];
  /** Of records that are left out. */
  readonly failures: readonly Failure[];
  readonly fetched: number;
}
