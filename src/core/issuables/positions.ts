/** Ideal distance of neighbours (`planning.md` 3.3). */
export const IDEAL_DISTANCE = 513;
/** Positions are 32-bit integers. */
const MIN = -2_147_483_648;
const MAX = 2_147_483_647;

/**
 * Returns a position between two neighbours (null: the open end of the list); null if there is no room, so
 * that the list must be spread first, or if both have the same position.
 */
export function positionBetween(before: number | null, after: number | null): number | null {
  if (before === null && after === null) return 0;
  if (before === null) return roomBelow(after as number);
  if (after === null) return roomAbove(before);
  if (after - before < 2) return null;
  return Math.ceil(before + (after - before) / 2);
}

/** Returns the ideal distance, or half of the remaining range near its end. */
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
