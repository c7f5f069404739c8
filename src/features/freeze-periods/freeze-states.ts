import { setImmediate as breathe } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { freezeState, type FreezeState, type FreezeTimes } from './times/freeze-window.js';

const MAX_KEPT = 2_000;

/** Longest use of a state: time zone rules may change. */
const KEPT_MS = 3_600_000;

interface Kept {
  readonly state: FreezeState | null;
  readonly from: number;
  readonly until: number;
}

const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

/** Work in milliseconds between two yields to the event loop. */
const STRETCH_MS = 10;

/**
 * Returns the present states of periods, in order; null for invalid times. A project may have a thousand
 * periods of several milliseconds each, so the event loop serves other requests in between.
 */
export async function freezeStatesNow(periods: readonly FreezeTimes[]): Promise<(FreezeState | null)[]> {
  const states: (FreezeState | null)[] = [];
  let until = performance.now() + STRETCH_MS;
  for (const times of periods) {
    states.push(freezeStateNow(times));
    if (performance.now() < until) continue;
    await breathe();
    until = performance.now() + STRETCH_MS;
  }
  return states;
}

/**
 * Returns the present state of a period, cached until its window starts or ends: computing it takes thousands
 * of steps for rare days. Null if the times are invalid.
 */
function freezeStateNow(times: FreezeTimes): FreezeState | null {
  const now = Date.now();
  const key = JSON.stringify([times.freezeStart, times.freezeEnd, times.cronTimezone]);
  const known = kept.get(key);
  if (known && known.from <= now && now <= known.until) return known.state;
  const state = freezeState(times, now);
  const change = state?.current?.end ?? (state?.next ? state.next.start - 1 : Infinity);
  kept.set(key, { state, from: now, until: Math.min(change, now + KEPT_MS) });
  return state;
}
