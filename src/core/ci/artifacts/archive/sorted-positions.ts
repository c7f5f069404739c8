import { setImmediate } from 'node:timers/promises';

/** Items sorted or merged between two yields to the event loop. */
export const POSITIONS_A_TURN = 4_096;

/**
 * Returns the numbers from 0 to `count - 1` in the order of `compare`, like `sort`, but yields to the event
 * loop in between.
 */
export async function sortedPositions(
  count: number,
  compare: (one: number, other: number) => number,
): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, position) => position);
  let into = new Uint32Array(count);
  for (let start = 0; start < count; start += POSITIONS_A_TURN) {
    from.subarray(start, start + POSITIONS_A_TURN).sort(compare);
    await setImmediate();
  }
  for (let width = POSITIONS_A_TURN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) await join(from, into, start, width, compare);
    [from, into] = [into, from];
  }
  return from;
}

/** Merges two adjacent sorted runs. */
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
    if (at % POSITIONS_A_TURN === 0) await setImmediate();
    const takesLeft =
      right >= end || (left < middle && compare(from[left] as number, from[right] as number) <= 0);
    into[at] = from[takesLeft ? left : right] as number;
    if (takesLeft) left += 1;
    else right += 1;
  }
}
