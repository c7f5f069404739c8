import type { EntityRow } from '../entity.row.js';

/** A relation as it was when a run took it. */
export interface ClaimedRelation {
  readonly id: number;
  readonly relation: string;
  readonly cursor: unknown;
  /** The last batch of the source that is done as a whole, and lines that are done of the next one. */
  readonly batchNumber: number;
  readonly linesDone: number;
  /** Turns in a row that were too short for a file of the source. */
  readonly turns: number;
  readonly entity: EntityRow;
}
