import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from './installation.js';

const LAG = /^nodejs_eventloop_lag_max_seconds (\S+)$/m;
const TRIES = 5;
/** Jobs process the requests within this time. */
const AFTERWARDS_MS = 100;

const KNOWN_WORK = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `issue ${id}` }));
/** Milliseconds that the known work takes at most on the machines that the limits were chosen on. */
const KNOWN_MS = 12;

/** The longest block of the event loop of a process in milliseconds since the last call. */
export async function stopOf({ url }: Pick<Member, 'url'>): Promise<number> {
  const answer = await fetch(`${url}/-/metrics`);
  const seconds = Number(LAG.exec(await answer.text())?.[1]);
  if (Number.isNaN(seconds)) throw new Error(`No lag in the metrics: ${answer.status}`);
  return seconds * 1_000;
}

/**
 * The longest stop in milliseconds while `work` is done, and shortly after: the least of five tries, since others on the machine and the
 * garbage of what came before stop a process too. Within `limit` one try is enough. On a machine that takes longer for work of a known size
 * the milliseconds are fewer by as much.
 */
export const longestStop = (
  process: Pick<Member, 'url'>,
  limit: number,
  work: () => Promise<unknown>,
): Promise<number> => leastOf(limit, work, () => stopOf(process));

/** The same for the process of the tests, which serves `startApi()` and `borrowApi()`. */
export async function longestOwnStop(limit: number, work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const sinceLast = (): Promise<number> => {
    const ms = delay.max / 1e6;
    delay.reset();
    return Promise.resolve(ms);
  };
  try {
    return await leastOf(limit, work, sinceLast);
  } finally {
    delay.disable();
  }
}

async function leastOf(
  limit: number,
  work: () => Promise<unknown>,
  sinceLast: () => Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES && least > limit; tried += 1) {
    const before = slowness();
    await sinceLast();
    await work();
    await sleep(AFTERWARDS_MS);
    const stop = await sinceLast();
    least = Math.min(least, stop / Math.max(before, slowness()));
  }
  return Math.round(least);
}

/** How many times longer than expected this machine takes for the known work; at least 1. */
function slowness(): number {
  const began = performance.now();
  for (let round = 0; round < 2; round += 1) JSON.parse(JSON.stringify(KNOWN_WORK));
  return Math.max(1, (performance.now() - began) / KNOWN_MS);
}
