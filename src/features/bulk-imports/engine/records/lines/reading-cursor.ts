import { isPlainObject } from '#kernel/http/plain-object.js';
import { flagIn, textIn } from '#core/exchange/source-record.js';
import type { ClaimedRelation } from '../../runs/claimed-relation.js';

/** Position in the files of a relation where a run begins. */
export interface ReadingCursor {
  /** Finished batches. */
  readonly batches: number;
  /** Finished lines of the next file, and its digest. */
  readonly lines: number;
  readonly digest: string | null;
  /** Whether the previous run read another export of the relation, so that its position is invalid. */
  readonly isVoid: boolean;
}

/** Part of a relation's cursor besides the counters. */
export interface RecordsCursor {
  readonly batched: boolean;
  readonly digest: string;
  readonly edition: string | null;
}

/**
 * Returns where the previous run stopped. The source may have exported again since, batched or not: after a
 * removal, records of later batches are in earlier ones.
 */
export function readingCursor(
  { cursor, batchNumber, linesDone }: ClaimedRelation,
  { batched, edition }: Pick<RecordsCursor, 'batched' | 'edition'>,
): ReadingCursor {
  const known = isPlainObject(cursor) ? cursor : {};
  const former = textIn(known, 'edition', 64);
  const isOther = former !== null && edition !== null && former !== edition;
  if (isPlainObject(cursor) && (flagIn(known, 'batched') !== batched || isOther))
    return { batches: 0, lines: 0, digest: null, isVoid: true };
  return { batches: batchNumber, lines: linesDone, digest: textIn(known, 'digest', 64), isVoid: false };
}
