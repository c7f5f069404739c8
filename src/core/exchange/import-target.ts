import type { Tx } from '#kernel/database/transactions.js';
import type { Portable } from '../exchange/relation-export.js';

/** Somebody at the source, as far as it is known here. */
export interface SourceUser {
  readonly sourceId: number;
  readonly username: string | null;
  readonly name: string | null;
  /** The user here who is taken for the same; null when there is none. */
  readonly userId: number | null;
}

/** Who is put down as the author here. */
export interface Attribution {
  readonly userId: number;
  /** Null when the author is known here; otherwise what the source says of whom the importing user stands in for. */
  readonly standsInFor: SourceUser | null;
}

/** Where records are brought to, and what is known of the source: handed to pipelines, the same for all records of a batch. */
export interface ImportTarget {
  readonly entityId: number;
  readonly of: Portable;
  /** Id of the group or project here. */
  readonly ownerId: number;
  readonly fullPath: string;
  readonly sourceFullPath: string;
  /** Whoever migrates: stands in for authors who are not known here. */
  readonly importerId: number;
  /** The user here of a user at the source, of those that `userIds` of the pipeline has named; null when there is none. */
  userOf(sourceUserId: number | null | undefined): number | null;
  /** Who is put down for a user at the source. */
  attribute(sourceUserId: number | null | undefined): Attribution;
  /** A text of the source: links into what is migrated lead here, NUL is dropped, null stays. */
  text(value: string | null): string | null;
  /**
   * Ids here of records that have been brought over, by key of the source, in this entity and those above it (the groups that it belongs to), the nearest
   * first; those that are missing have no entry.
   */
  foundAbove(tx: Tx, relation: string, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * The same of this entity and of those groups or projects of the migration that have these ids at the source. Where such are asked for, those who
   * ask take turns until their transactions end: of two that name each other, the later one finds the earlier.
   */
  foundInImport(
    tx: Tx,
    relation: string,
    ownerSourceIds: readonly number[],
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Notes that something of a record could not be brought over, though the record itself is: a failure row in the same transaction. */
  report(tx: Tx, problem: { readonly title: string | null; readonly message: string }): Promise<void>;
}
