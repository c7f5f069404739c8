import { setTimeout as sleep } from 'node:timers/promises';

/** The limits are for a fast machine: one with shared cores takes several times as long. */
const SLOWEST = 3;

/** Resolves with the milliseconds until `what` holds; an error means not yet. The limit is 3 times `withinMs`. */
export async function until(what: () => Promise<boolean> | boolean, withinMs = 30_000): Promise<number> {
  const begun = Date.now();
  let problem: unknown;
  while (Date.now() - begun < withinMs * SLOWEST) {
    try {
      if (await what()) return Date.now() - begun;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    await sleep(50);
  }
  throw new Error(`Not within ${withinMs * SLOWEST} ms: ${what.toString()}`, { cause: problem });
}
