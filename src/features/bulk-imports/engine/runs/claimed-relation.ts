import type { EntityRow } from '../entity.row.js';

/** A relation at the time a run claimed it. */
export interface ClaimedRelation {
  readonly id: number;
  readonly relation: string;
  readonly cursor: unknown;
  /** The last finished batch of the source, and finished lines of the next one. */
  readonly batchNumber: number;
  readonly linesDone: number;
  /** Consecutive turns that were too short for a file of the source. */
  readonly turns: number;
  readonly entity: EntityRow;
}
