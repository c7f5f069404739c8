import { CronSchedule } from './cron-schedule.js';
import { windowStarts } from './window-search.js';
import { ZoneClock } from './zone-clock.js';

/** Start and end of a freeze: two cron expressions in a time zone. */
export interface FreezeTimes {
  readonly freezeStart: string;
  readonly freezeEnd: string;
  readonly cronTimezone: string;
}

/** From the instant `start` to the instant `end`, both included. */
export interface FreezeWindow {
  readonly start: number;
  readonly end: number;
}

/** State of a period at an instant. */
export interface FreezeState {
  /** The window that contains the instant. */
  readonly current: FreezeWindow | null;
  /** The first window that starts later. */
  readonly next: FreezeWindow | null;
}

/** Instants that match a cron expression. */
export class CronTimes {
  private constructor(
    readonly schedule: CronSchedule,
    readonly clock: ZoneClock,
  ) {}

  static of(expression: string, zone: string): CronTimes | null {
    const schedule = CronSchedule.parse(expression);
    const clock = ZoneClock.of(zone);
    return schedule && clock ? new CronTimes(schedule, clock) : null;
  }

  /** Returns the first one after an instant. */
  after(at: number): number | null {
    return this.reached(this.schedule.after(this.clock.latestShown(at)));
  }

  /** Returns the last one at or before an instant. */
  upTo(at: number): number | null {
    return this.reached(this.schedule.upTo(this.clock.latestShown(at)));
  }

  private reached(shown: number | null): number | null {
    return shown === null ? null : this.clock.reaches(shown);
  }
}

/**
 * Returns the state of a period (`ci.md` 4). It is active if its last end was before its last start, and its
 * next end is before its next start. Null if the times are invalid.
 */
export function freezeState(times: FreezeTimes, now: number): FreezeState | null {
  const starts = CronTimes.of(times.freezeStart, times.cronTimezone);
  const ends = CronTimes.of(times.freezeEnd, times.cronTimezone);
  if (!starts || !ends) return null;
  const previous = starts.upTo(now);
  const current = previous === null ? null : windowFrom(starts, ends, previous);
  return {
    current: current && now <= current.end ? current : null,
    next: nextWindow(starts, ends, now),
  };
}

/**
 * Returns the window of a start; null if it is also an end, or another start comes before the end or with it.
 */
function windowFrom(starts: CronTimes, ends: CronTimes, start: number): FreezeWindow | null {
  const end = ends.after(start);
  if (end === null || ends.upTo(start) === start) return null;
  const following = starts.after(start);
  return following === null || end < following ? { start, end } : null;
}

/**
 * Returns the first window that starts after an instant. Where the clock is set forward, times coincide: that
 * can make a window disappear, but never creates one.
 */
function nextWindow(starts: CronTimes, ends: CronTimes, now: number): FreezeWindow | null {
  const { clock } = starts;
  let refused: number | null = null;
  for (const shown of windowStarts(starts.schedule, ends.schedule, clock.latestShown(now))) {
    const start = clock.reaches(shown);
    const window = start === refused ? null : windowFrom(starts, ends, start);
    if (window) return window;
    refused = start;
  }
  return null;
}
