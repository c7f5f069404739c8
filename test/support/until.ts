import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves with the milliseconds that it took until `what` holds; what throws holds not yet. The limit is against hanging. */
export async function until(what: () => Promise<boolean> | boolean, withinMs = 30_000): Promise<number> {
  const begun = Date.now();
  let problem: unknown;
  while (Date.now() - begun < withinMs) {
    try {
      if (await what()) return Date.now() - begun;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    await sleep(50);
  }
  throw new Error(`Not within ${withinMs} ms: ${what.toString()}`, { cause: problem });
}
