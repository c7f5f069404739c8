import type { Chance } from '../hostile/chance.js';
import type { MinuteZone, PlainCron } from './minute-zone.js';

/** A time from which to which nothing is deployed, both included. */
export interface ModelWindow {
  readonly start: number;
  readonly end: number;
}

/** A freeze period as `ci.md` 4 defines it, computed from all its minutes. */
export class PeriodModel {
  private readonly starts: readonly number[];
  private readonly ends: readonly number[];
  private readonly windows: readonly ModelWindow[];

  constructor(
    readonly zone: MinuteZone,
    readonly start: PlainCron,
    readonly end: PlainCron,
  ) {
    this.starts = zone.matches(start);
    this.ends = zone.matches(end);
    this.windows = this.starts.flatMap((from) => this.windowAt(from) ?? []);
  }

  /** The parameters of the request that creates it. */
  get values(): object {
    return { freeze_start: this.start.text, freeze_end: this.end.text, cron_timezone: this.zone.name };
  }

  /** The times at which something may change. */
  get edges(): readonly number[] {
    return [...this.starts, ...this.ends];
  }

  /** A start after a time whose window would end beyond what the zone knows. */
  openStart(now: number): number | undefined {
    const start = this.starts.at(-1) ?? -Infinity;
    return start > Math.max(now, this.ends.at(-1) ?? -Infinity) ? start : undefined;
  }

  /** The window that a time lies in: the last end was before the last start, the next end is before the next start. */
  windowAt(now: number): ModelWindow | null {
    const start = this.starts[countUpTo(this.starts, now) - 1] ?? -Infinity;
    const isBoth = this.ends[countUpTo(this.ends, start) - 1] === start;
    const lastEnd = isBoth ? start : (this.ends[countUpTo(this.ends, now - 1) - 1] ?? -Infinity);
    const end = this.ends[countUpTo(this.ends, now - 1)] ?? Infinity;
    const nextStart = this.starts[countUpTo(this.starts, now)] ?? Infinity;
    return lastEnd < start && start <= now && end < nextStart && start < end ? { start, end } : null;
  }

  /** The first window that starts after a time; undefined if there is none within what the zone knows. */
  next(now: number): ModelWindow | undefined {
    return this.windows.find(({ start }) => start > now);
  }
}

/** Counts the times up to one, itself included; they ascend. */
function countUpTo(times: readonly number[], last: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

const MINUTES: readonly (readonly [string, readonly number[]])[] = [
  ['*', range(0, 59)],
  ['0-31', range(0, 31)],
  ['0-30,45', [...range(0, 30), 45]],
  ['*/2', range(0, 58, 2)],
  ['1-59/2', range(1, 59, 2)],
  ['0', [0]],
  ['30', [30]],
  ['15,45', [15, 45]],
  ['59', [59]],
];
const HOURS: readonly (readonly [string, readonly number[]])[] = [
  ['*', range(0, 23)],
  ['0', [0]],
  ['1', [1]],
  ['2', [2]],
  ['3', [3]],
  ['1-3', [1, 2, 3]],
  ['22-1', [22, 23, 0, 1]],
  ['*/6', [0, 6, 12, 18]],
];

/** A random expression; its days are all, or those of the month or of the week next to the change of the clock. */
function cronBy(chance: Chance, { center }: MinuteZone): PlainCron {
  const [minute, minutes] = chance.of(MINUTES);
  const [hour, hours] = chance.of(HOURS);
  const date = new Date(center - chance.below(2) * 86_400_000);
  const days = chance.oneIn(4) ? [Math.min(date.getUTCDate(), 28)] : null;
  const weekdays = chance.oneIn(4) ? [date.getUTCDay()] : null;
  const text = `${minute} ${hour} ${days?.join() ?? '*'} * ${weekdays?.join() ?? '*'}`;
  return { text, minutes, hours, days, weekdays };
}

/** A random period; its end may be its start. */
export function periodBy(chance: Chance, zone: MinuteZone): PeriodModel {
  const start = cronBy(chance, zone);
  return new PeriodModel(zone, start, chance.oneIn(8) ? start : cronBy(chance, zone));
}
