import { CronSchedule } from './cron-schedule.js';
import { ZoneClock } from './zone-clock.js';

/** When a freeze begins and ends: two cron expressions on the clock of a zone. */
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

/** What is to be known of a period at an instant. */
export interface FreezeState {
  /** The window that the instant lies in. */
  readonly current: FreezeWindow | null;
  /** The first window that begins later. */
  readonly next: FreezeWindow | null;
}

/** Beginnings whose freeze never comes into force (each is also an end, say) are passed over, but not for ever. */
const MAX_ATTEMPTS = 10;

/** The instants at which one cron expression matches. */
export class CronTimes {
  private constructor(
    private readonly schedule: CronSchedule,
    private readonly clock: ZoneClock,
  ) {}

  static of(expression: string, zone: string): CronTimes | null {
    const schedule = CronSchedule.parse(expression);
    const clock = ZoneClock.of(zone);
    return schedule && clock ? new CronTimes(schedule, clock) : null;
  }

  /** The first one after an instant. */
  after(at: number): number | null {
    return this.reached(this.schedule.after(this.clock.latestShown(at)));
  }

  /** The last one at an instant or before it. */
  upTo(at: number): number | null {
    return this.reached(this.schedule.upTo(this.clock.latestShown(at)));
  }

  private reached(shown: number | null): number | null {
    return shown === null ? null : this.clock.reaches(shown);
  }
}

/**
 * The state of a period (`ci.md` 4). It is in force while its last end was before its last beginning, and its next end is before its next
 * beginning. Null for times that cannot be read.
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

/** The window that a beginning opens; none where it is an end as well, or where another beginning comes before the end or with it. */
function windowFrom(starts: CronTimes, ends: CronTimes, start: number): FreezeWindow | null {
  const end = ends.after(start);
  if (end === null || ends.upTo(start) === start) return null;
  const following = starts.after(start);
  return following === null || end < following ? { start, end } : null;
}

function nextWindow(starts: CronTimes, ends: CronTimes, now: number): FreezeWindow | null {
  let from = now;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const first = starts.after(from);
    const end = first === null ? null : ends.after(first);
    const start = end === null ? null : starts.upTo(end);
    if (end === null || start === null) return null;
    const window = start < end ? windowFrom(starts, ends, start) : null;
    if (window) return window;
    from = end;
  }
  return null;
}
