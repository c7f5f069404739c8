import type { Tx } from '#kernel/database/transactions.js';
import type { Portable } from '../exchange/relation-export.js';

/** A user of the source instance, with the matching local user. */
export interface SourceUser {
  readonly sourceId: number;
  readonly username: string | null;
  readonly name: string | null;
  /** The matching local user; null if there is none. */
  readonly userId: number | null;
}

/** The local author of an imported record. */
export interface Attribution {
  readonly userId: number;
  /** Null if the author is known here; otherwise the source user that the importing user stands in for. */
  readonly standsInFor: SourceUser | null;
}

/**
 * Destination of records, with facts about the source: passed to pipelines, the same for all records of a
 * batch.
 */
export interface ImportTarget {
  readonly entityId: number;
  readonly of: Portable;
  /** Id of the local group or project. */
  readonly ownerId: number;
  readonly fullPath: string;
  readonly sourceFullPath: string;
  /** The importing user, who stands in for unknown authors. */
  readonly importerId: number;
  /** Returns the local user of a source user named by `userIds` of the pipeline; null if there is none. */
  userOf(sourceUserId: number | null | undefined): number | null;
  /** Returns the local author for a source user. */
  attribute(sourceUserId: number | null | undefined): Attribution;
  /** Converts a text of the source: links into what is imported are rewritten, NUL is dropped, null stays. */
  text(value: string | null): string | null;
  /**
   * Returns the local ids of imported records by source key, in this entity and those above it (its groups),
   * nearest first; omits missing ones.
   */
  foundAbove(tx: Tx, relation: string, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Does the same for this entity and the groups or projects of the migration with these source ids. Callers
   * with such ids are serialized until their transactions end: of two records that name each other, the later
   * one finds the earlier.
   */
  foundInImport(
    tx: Tx,
    relation: string,
    ownerSourceIds: readonly number[],
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * Reports a part of a record that could not be imported, although the record itself is: a failure row in
   * the same transaction.
   */
  report(tx: Tx, problem: { readonly title: string | null; readonly message: string }): Promise<void>;
}
