import { CYCLE_DAYS, dayOf, timeAt, type CronSchedule } from './cron-schedule.js';

/** Starts and ends of one day, as minutes of it. */
interface Day {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const NONE: readonly number[] = [];

/**
 * Yields the times after `after`, on a clock without daylight saving, that are starts only and are followed by
 * a time that is an end only. Goes from day to day instead of from start to start: a day has up to 1440 that
 * lead to nothing, and there are only three kinds of days with starts or ends. Ends where both schedules have
 * repeated themselves.
 */
export function* windowStarts(starts: CronSchedule, ends: CronSchedule, after: number): Generator<number> {
  const first = dayOf(after);
  const last = first + CYCLE_DAYS;
  const both: Day = { starts: starts.minutes, ends: ends.minutes };
  const withinBoth = startsWithin(both);
  let [startDay, endDay] = [starts.dayFrom(first), ends.dayFrom(first)];
  /** The time of a start that waits for the next day with starts or ends. */
  let open: number | null = null;
  while (startDay !== null && endDay !== null && Math.min(startDay, endDay) <= last) {
    const number: number = Math.min(startDay, endDay);
    const day: Day = {
      starts: number === startDay ? both.starts : NONE,
      ends: number === endDay ? both.ends : NONE,
    };
    if (open !== null && open > after && beginsWithEnd(day)) yield open;
    if (number === startDay && number === endDay) {
      for (const minute of withinBoth) {
        const time = timeAt(number, minute);
        if (time > after) yield time;
      }
    }
    const latest = lastStart(day);
    open = latest === null ? null : timeAt(number, latest);
    if (number === startDay) startDay = starts.dayFrom(number + 1);
    if (number === endDay) endDay = ends.dayFrom(number + 1);
  }
}

/** Starts of windows that end on the same day. */
function startsWithin({ starts, ends }: Day): number[] {
  const [isStart, isEnd] = [new Set(starts), new Set(ends)];
  const times = [...new Set([...starts, ...ends])].sort((a, b) => a - b);
  return times.filter((time, index) => {
    const next = times[index + 1];
    return !isEnd.has(time) && next !== undefined && !isStart.has(next);
  });
}

/** Returns whether the first time of a day is an end only. */
const beginsWithEnd = ({ starts, ends }: Day): boolean => (ends[0] ?? Infinity) < (starts[0] ?? Infinity);

/** Returns the last time of a day if it is a start only. */
function lastStart({ starts, ends }: Day): number | null {
  const [start, end] = [starts.at(-1), ends.at(-1)];
  return start !== undefined && start > (end ?? -1) ? start : null;
}
