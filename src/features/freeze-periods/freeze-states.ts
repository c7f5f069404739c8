import { LRUCache } from 'lru-cache';
import { freezeState, type FreezeState, type FreezeTimes } from './times/freeze-window.js';

const MAX_KEPT = 2_000;

/** How long a state is believed that nothing is known to end: clocks of zones change with new rules. */
const LONGEST_MS = 3_600_000;

interface Kept {
  readonly state: FreezeState | null;
  readonly from: number;
  readonly until: number;
}

const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

/**
 * The state of a period now, kept until its window begins or ends: it costs some thousand steps for rare days, and a project may have
 * many periods. Null for times that cannot be read.
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
