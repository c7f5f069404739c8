import { setImmediate } from 'node:timers/promises';

/** Places that are sorted, or joined, before others have a turn. */
export const PLACES_A_TURN = 4_096;

/** The numbers from 0 to `count` (without it) in the order that `compare` says: as `sort` would have them, in pieces between which others have turns. */
export async function sortedPlaces(
  count: number,
  compare: (one: number, other: number) => number,
): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, place) => place);
  let into = new Uint32Array(count);
  for (let start = 0; start < count; start += PLACES_A_TURN) {
    from.subarray(start, start + PLACES_A_TURN).sort(compare);
    await setImmediate();
  }
  for (let width = PLACES_A_TURN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) await join(from, into, start, width, compare);
    [from, into] = [into, from];
  }
  return from;
}

/** Joins two sorted runs that stand side by side. */
async function join(
  from: Uint32Array,
  into: Uint32Array,
  start: number,
  width: number,
  compare: (one: number, other: number) => number,
): Promise<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    if (at % PLACES_A_TURN === 0) await setImmediate();
    const takesLeft =
      right >= end || (left < middle && compare(from[left] as number, from[right] as number) <= 0);
    into[at] = from[takesLeft ? left : right] as number;
    if (takesLeft) left += 1;
    else right += 1;
  }
}
