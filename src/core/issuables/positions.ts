/** Distance at which neighbours are placed where there is room (`planning.md` 3.3). */
export const IDEAL_DISTANCE = 513;
/** Positions are integers of 32 bits. */
const MIN = -2_147_483_648;
const MAX = 2_147_483_647;

/**
 * A position between two neighbours (null: the open end of the list), or null where there is no room left: then the list has to be spread
 * first. Rows of the same position leave none either.
 */
export function positionBetween(before: number | null, after: number | null): number | null {
  if (before === null && after === null) return 0;
  if (before === null) return roomBelow(after as number);
  if (after === null) return roomAbove(before);
  if (after - before < 2) return null;
  return Math.ceil(before + (after - before) / 2);
}

/** At the ideal distance, or halfway to the end of all positions once that is near. */
function roomBelow(after: number): number | null {
  const gap = after - MIN;
  if (gap < 2) return null;
  return gap <= 2 * IDEAL_DISTANCE ? after - Math.floor(gap / 2) : after - IDEAL_DISTANCE;
}

function roomAbove(before: number): number | null {
  const gap = MAX - before;
  if (gap < 2) return null;
  return gap <= 2 * IDEAL_DISTANCE ? before + Math.floor(gap / 2) : before + IDEAL_DISTANCE;
}
