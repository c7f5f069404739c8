const MINUTE = 60_000;
const DAY = 86_400_000;

/** Days before and after the change of the clock that a zone knows: more than a month. */
const AROUND = 35;

/** A cron expression as the sets that it means: minutes, hours, days of the month and of the week. */
export interface PlainCron {
  readonly text: string;
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** All if null. */
  readonly days: readonly number[] | null;
  /** All if null. */
  readonly weekdays: readonly number[] | null;
}

/** Minute by minute what the clocks of a zone show around a change, by `Intl` alone: knows nothing of the product. */
export class MinuteZone {
  private readonly first: number;
  private readonly shown: readonly Date[];

  constructor(
    readonly name: string,
    /** The time of the change. */
    readonly center: number,
  ) {
    this.first = Math.floor(center / DAY) * DAY - AROUND * DAY;
    const shows = clockOf(name);
    this.shown = Array.from(
      { length: 2 * AROUND * 1440 },
      (_, index) => new Date(shows(this.first + index * MINUTE)),
    );
  }

  /** The next change of the clock of a zone after a time, to the minute. */
  static around(name: string, after: number): MinuteZone {
    const shows = clockOf(name);
    const offset = (at: number): number => shows(at) - at;
    let low = Math.ceil(after / DAY) * DAY;
    while (offset(low) === offset(low + DAY)) low += DAY;
    let center = low;
    while (offset(center) === offset(low)) center += MINUTE;
    return new MinuteZone(name, center);
  }

  get end(): number {
    return this.first + this.shown.length * MINUTE;
  }

  /** Times at which the clock first shows a time that matches, or passes over it. */
  matches(cron: PlainCron): number[] {
    const found: number[] = [];
    let latest = (this.shown[0]?.getTime() ?? 0) - MINUTE;
    this.shown.forEach((date, index) => {
      let isHere = false;
      for (let passed = latest + MINUTE; passed <= date.getTime(); passed += MINUTE)
        isHere ||= means(cron, passed === date.getTime() ? date : new Date(passed));
      if (isHere) found.push(this.first + index * MINUTE);
      latest = Math.max(latest, date.getTime());
    });
    return found;
  }
}

/** Returns what a clock shows at a time, as the time in UTC that looks the same. */
function clockOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return (at) => Date.parse(`${format.format(at).replace(', ', 'T')}Z`);
}

function means({ minutes, hours, days, weekdays }: PlainCron, shown: Date): boolean {
  if (!minutes.includes(shown.getUTCMinutes()) || !hours.includes(shown.getUTCHours())) return false;
  const isDay = days?.includes(shown.getUTCDate()) ?? true;
  const isWeekday = weekdays?.includes(shown.getUTCDay()) ?? true;
  return days && weekdays ? isDay || isWeekday : isDay && isWeekday;
}
