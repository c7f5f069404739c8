import { setTimeout as sleep } from 'node:timers/promises';

/** The limits are for a fast machine: one with shared cores takes several times as long. */
const SLOWEST = 3;

/** Resolves with the milliseconds that it took until `what` holds; what throws holds not yet. The limit, thrice `withinMs`, is against hanging. */
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
