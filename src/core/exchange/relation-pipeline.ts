import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '../exchange/import-target.js';
import type { Portable } from '../exchange/relation-export.js';
import type { SourceRecord } from '../exchange/source-record.js';

/** A record that has been checked and is ready to be written. */
export interface TransformedRow<Row> {
  /** Names the record at the source, unique within the relation. */
  readonly key: string;
  readonly row: Row;
}

/**
 * One relation on its way in: offered to `Transfers` by the module that owns its tables. The engine extracts, resumes and counts; it never
 * loads a key twice. Everything in a record is a stranger's: `transform` checks types, lengths and values.
 */
export interface RelationPipeline<Row = unknown> {
  readonly of: Portable;
  /** Name in `export_relations` of the source. */
  readonly relation: string;
  /** Relations of an entity run stage by stage (see `stages.ts`). */
  readonly stage: number;
  /** Whether a v4 source need not have it: then nothing is reported when it is missing there. */
  readonly isExtension: boolean;
  /** What the record is called in failures. */
  title(record: SourceRecord): string | null;
  /** Names the record at the source, unique within the relation, stable over repeated exports. */
  key(record: SourceRecord): string;
  /** Ids of users at the source that the record names, nested ones included. */
  userIds(record: SourceRecord): readonly number[];
  /** Pure. @throws RecordRefused for a record that cannot be brought over: it is reported and left out */
  transform(record: SourceRecord, target: ImportTarget): Row;
  /**
   * Writes up to some hundred rows in few statements; returns their ids here in the order of `rows` (null for what has no id). Publishes no
   * domain events: nobody is told of imported things. When it throws because of a row, the engine tries halves until only that row is left out.
   */
  load(
    tx: Tx,
    target: ImportTarget,
    rows: readonly TransformedRow<Row>[],
  ): Promise<readonly (number | null)[]>;
}

/** What another module adds to the records of a relation, in the same transaction, once they are written. */
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
