import { flagIn, isRecord, textIn } from '#core/exchange/source-record.js';
import type { ClaimedRelation } from '../../runs/claimed-relation.js';

/** Where in the files of a relation a run begins. */
export interface ReadingPlace {
  /** Batches that are done. */
  readonly batches: number;
  /** Lines that are done of the file after them, and the digest of that file. */
  readonly lines: number;
  readonly digest: string | null;
  /** Whether a former run had the relation in another form, so that nothing of its place holds. */
  readonly isVoid: boolean;
}

/** What the cursor of a relation keeps beside the numbers. */
export interface RecordsCursor {
  readonly batched: boolean;
  readonly digest: string;
}

/** Where a former run has stopped; a source may have exported anew since, split or not. */
export function placeOf({ cursor, batchNumber, linesDone }: ClaimedRelation, batched: boolean): ReadingPlace {
  const known = isRecord(cursor) ? cursor : {};
  if (isRecord(cursor) && flagIn(known, 'batched') !== batched)
    return { batches: 0, lines: 0, digest: null, isVoid: true };
  return { batches: batchNumber, lines: linesDone, digest: textIn(known, 'digest', 64), isVoid: false };
}
