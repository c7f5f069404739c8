import { LRUCache } from 'lru-cache';
import { freezeState, type FreezeState, type FreezeTimes } from './times/freeze-window.js';

const MAX_KEPT = 2_000;

/** How long a state without a known end is cached: time zone rules may change. */
const LONGEST_MS = 3_600_000;

interface Kept {
  readonly state: FreezeState | null;
  readonly from: number;
  readonly until: number;
}

const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

/**
 * Returns the present state of a period, cached until its window starts or ends: computing it takes thousands
 * of steps for rare days, and a project may have many periods. Null if the times are invalid.
 */
export function freezeStateNow(times: FreezeTimes): FreezeState | null {
  const now = Date.now();
  const key = JSON.stringify([times.freezeStart, times.freezeEnd, times.cronTimezone]);
  const known = kept.get(key);
  if (known && known.from <= now && now <= known.until) return known.state;
  const state = freezeState(times, now);
  const change = state?.current?.end ?? (state?.next ? state.next.start - 1 : Infinity);
  kept.set(key, { state, from: now, until: Math.min(change, now + LONGEST_MS) });
  return state;
}
