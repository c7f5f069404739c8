import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '../exchange/import-target.js';
import type { Portable } from '../exchange/relation-export.js';
import type { SourceRecord } from '../exchange/source-record.js';

/**
 * The import of a relation; registered with `ExchangesRegistry` by the module that owns its tables. The
 * engine extracts, resumes and counts; it never loads a key twice. Records are untrusted: `transform` checks
 * types, lengths and values.
 */
export interface RelationPipeline<Row = unknown> {
  readonly of: Portable;
  /** Name in `export_relations` of the source. */
  readonly relation: string;
  /** Relations of an entity run stage by stage (see `stages.ts`). */
  readonly stage: number;
  /** Whether v4 sources may lack it: nothing is then reported if it is missing. */
  readonly isExtension: boolean;
  /** Title of the record in failures. */
  title(record: SourceRecord): string | null;
  /** Key of the record at the source, unique within the relation and stable over repeated exports. */
  key(record: SourceRecord): string;
  /** Ids of source users in the record, including nested ones. */
  userIds(record: SourceRecord): readonly number[];
  /**
   * Converts a record; a pure function. @throws RecordRefused if it cannot be imported: it is reported and
   * skipped
   */
  transform(record: SourceRecord, target: ImportTarget): Row;
  /**
   * Writes up to a few hundred rows with few statements; returns their local ids in the order of `rows` (null
   * for rows without an id). Publishes no domain events, since imports send no notifications. If it throws
   * because of a row, the engine retries halves until only that row is skipped.
   */
  load(tx: Tx, target: ImportTarget, rows: readonly Row[]): Promise<readonly (number | null)[]>;
}

/**
 * Additions of another module to the records of a relation, in the same transaction, after they are written.
 */
export interface RelationPart {
  readonly of: Portable;
  readonly relation: string;
  userIds(record: SourceRecord): readonly number[];
  load(
    tx: Tx,
    target: ImportTarget,
    loaded: readonly { readonly record: SourceRecord; readonly id: number }[],
  ): Promise<void>;
}
