import { flagIn, isRecord, textIn } from '#core/exchange/source-record.js';
import type { ClaimedRelation } from '../../runs/claimed-relation.js';

/** Position in the files of a relation where a run begins. */
export interface ReadingPlace {
  /** Finished batches. */
  readonly batches: number;
  /** Finished lines of the next file, and its digest. */
  readonly lines: number;
  readonly digest: string | null;
  /** Whether the previous run had another form of the relation, so that its position is invalid. */
  readonly isVoid: boolean;
}

/** Part of a relation's cursor besides the counters. */
export interface RecordsCursor {
  readonly batched: boolean;
  readonly digest: string;
}

/** Returns where the previous run stopped; the source may have exported again since, batched or not. */
export function placeOf({ cursor, batchNumber, linesDone }: ClaimedRelation, batched: boolean): ReadingPlace {
  const known = isRecord(cursor) ? cursor : {};
  if (isRecord(cursor) && flagIn(known, 'batched') !== batched)
    return { batches: 0, lines: 0, digest: null, isVoid: true };
  return { batches: batchNumber, lines: linesDone, digest: textIn(known, 'digest', 64), isVoid: false };
}
