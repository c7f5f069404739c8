import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../installation.js';
import { until } from '../until.js';
import type { FarEnd } from './far-end.js';
import type { HeldMoments } from './held-moments.js';

/** Relations of one stage come to their moments about the same time. */
const GATHER_MS = 400;

/**
 * Whenever runs of an import pause at a moment, kills their process, releases the moment and starts another
 * process, until the import has ended. Returns the number of killed processes.
 */
export async function killEverywhere(
  farEnd: FarEnd,
  importId: number,
  moments: HeldMoments,
  { first, start }: { readonly first: Member; readonly start: () => Promise<Member> },
): Promise<number> {
  let current = first;
  for (let lost = 0; ; lost += 1) {
    await until(
      async () => (await farEnd.hasEnded(importId)) || (await moments.waiting()).length > 0,
      60_000,
    );
    if (await farEnd.hasEnded(importId)) return lost;
    await sleep(GATHER_MS);
    const waiting = await moments.waiting();
    await current.kill();
    await moments.release(waiting);
    await farEnd.giveBack();
    current = await start();
  }
}
