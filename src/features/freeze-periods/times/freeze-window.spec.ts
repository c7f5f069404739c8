import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CronTimes, freezeState, type FreezeTimes } from './freeze-window.js';
import { RAILS_ZONES } from './zone-names.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NAMES: Readonly<Record<string, number>> = { sun: 0, mon: 1, fri: 5, sat: 6 };

/**
 * Days of clock changes: by an hour, half an hour, at midnight, by a whole day; and a zone without changes.
 */
const ZONES = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['America/Havana', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kolkata', '2028-02-29'],
] as const;

/** The local time of a zone minute by minute, for ten days around the change, by `Intl` alone. */
class Walk {
  readonly first: number;
  readonly shown: readonly number[];

  constructor(zone: string, day: string) {
    this.first = Date.parse(day) - 5 * DAY;
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
    });
    this.shown = Array.from({ length: 10 * 1440 }, (_, index) =>
      Date.parse(`${format.format(this.first + index * MINUTE).replace(', ', 'T')}Z`),
    );
  }

  /** Times at which the clock reaches a matching time that it has not shown before, or skips one. */
  matches(expression: string): number[] {
    const isMatch = matcher(expression);
    const found: number[] = [];
    let latest = (this.shown[0] ?? 0) - MINUTE;
    this.shown.forEach((time, index) => {
      let isHere = false;
      for (let passed = latest + MINUTE; passed <= time; passed += MINUTE)
        isHere ||= isMatch(new Date(passed));
      if (isHere) found.push(this.first + index * MINUTE);
      latest = Math.max(latest, time);
    });
    return found;
  }
}

const walks = ZONES.map(([zone, day]) => ({ zone, walk: new Walk(zone, day) }));

/** Parses expressions independently, one value at a time. */
function matcher(expression: string): (time: Date) => boolean {
  const sets = expression.split(' ').map((field, index) => valuesOf(field, [60, 24, 32, 13, 7][index] ?? 0));
  const [, , dayField, , weekdayField] = expression.split(' ');
  return (time) => {
    const isLast = new Date(time.getTime() + DAY).getUTCDate() === 1;
    const isDay = sets[2]?.has(time.getUTCDate()) === true || (dayField === 'L' && isLast);
    const isWeekday = sets[4]?.has(time.getUTCDay()) === true;
    const either = dayField !== '*' && weekdayField !== '*' ? isDay || isWeekday : isDay && isWeekday;
    return (
      sets[0]?.has(time.getUTCMinutes()) === true &&
      sets[1]?.has(time.getUTCHours()) === true &&
      sets[3]?.has(time.getUTCMonth() + 1) === true &&
      either
    );
  };
}

function valuesOf(field: string, size: number): Set<number> {
  const found = new Set<number>();
  if (field === 'L') return found;
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const least = size === 32 || size === 13 ? 1 : 0;
    const number = (text: string): number => NAMES[text] ?? Number(text);
    const [from, to] = range === '*' ? [least, size - 1] : range.split('-').map(number);
    for (let value = from ?? 0, count = 0; ; value += 1, count += 1) {
      if (value >= size) value = least;
      if (count % Number(step) === 0) found.add(value);
      if (value === (to ?? from ?? 0) % size) break;
    }
  }
  return found;
}

const minute = fc.oneof(fc.constantFrom('*', '0', '30', '*/15', '5,50', '55-10/5'), fc.nat(59).map(String));
const hour = fc.oneof(fc.constantFrom('*', '2', '0', '1-3', '23-2', '*/6', '22-4/2'), fc.nat(23).map(String));
const day = fc.constantFrom('*', '*', '*', 'L', '29', '1-15', '*/2', '8,25,30');
const weekday = fc.constantFrom('*', '*', '*', 'sun', '1-5', 'fri-mon', '6,0');
const cron = fc
  .tuple(minute, hour, day, weekday)
  .map(([minutes, hours, days, weekdays]) => `${minutes} ${hours} ${days} * ${weekdays}`);
const zoneWalk = fc.constantFrom(...walks);
/** Any time, often near the change. */
const instant = fc.oneof(
  fc.integer({ min: 2 * DAY, max: 8 * DAY }),
  fc.integer({ min: 4 * DAY, max: 6 * DAY }),
);

const after = (times: readonly number[], at: number): number | undefined => times.find((time) => time > at);
const upTo = (times: readonly number[], at: number): number | undefined =>
  times.findLast((time) => time <= at);

describe('times of cron expressions', () => {
  it('are those at which a wall clock reaches them', () => {
    fc.assert(
      fc.property(zoneWalk, cron, instant, ({ zone, walk }, expression, offset) => {
        const times = CronTimes.of(expression, zone);
        const expected = walk.matches(expression);
        const end = walk.first + walk.shown.length * MINUTE;
        for (const at of [walk.first + offset, ...expected.slice(-3, -1)]) {
          const next = times?.after(at) ?? Infinity;
          expect([expression, next < end ? next : undefined]).toEqual([expression, after(expected, at)]);
          const last = times?.upTo(at) ?? -Infinity;
          // The first minute of the walk may be the end of a skipped interval.
          if (last > walk.first) expect([expression, last]).toEqual([expression, upTo(expected, at)]);
        }
      }),
      { numRuns: 80 },
    );
  });

  it.each([
    ['30 2 28 3 *', 'Europe/Berlin', '2027-03-28T01:00:00.000Z'],
    ['30 2 31 10 *', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
    ['15 2 3 10 *', 'Australia/Lord_Howe', '2027-10-02T15:30:00.000Z'],
    ['0 0 29 2 *', 'Asia/Kolkata', '2028-02-28T18:30:00.000Z'],
    ['0 9 * * fri', 'Eastern Time (US & Canada)', '2026-11-27T14:00:00.000Z'],
    ['0 0 L 2 *', 'UTC', '2027-02-28T00:00:00.000Z'],
    ['0 0 * 2 5#5', 'UTC', '2036-02-29T00:00:00.000Z'],
    ['0 0 * * 1L', 'UTC', '2026-11-30T00:00:00.000Z'],
    ['0 0 */1 * mon', 'UTC', '2026-11-23T00:00:00.000Z'],
    ['0 0 1 * MON', 'UTC', '2026-11-23T00:00:00.000Z'],
    ['0 0 * dec-jan *', "Nuku'alofa", '2026-11-30T11:00:00.000Z'],
    ['0 0 * * 7', 'UTC', '2026-11-22T00:00:00.000Z'],
    ['0 0 * * sat-sun', 'UTC', '2026-11-21T00:00:00.000Z'],
  ])('%s in %s: %s', (expression, zone, expected) => {
    const next = CronTimes.of(expression, zone)?.after(Date.parse('2026-11-20T20:00:00Z'));
    expect(new Date(next ?? 0).toISOString()).toBe(expected);
  });

  it('do not exist for invalid expressions, which are detected in a short time', () => {
    const started = performance.now();
    for (const expression of [
      '',
      '*',
      '* * * *',
      '* * * * * *',
      '0 0 0 * *',
      '0 0 30 2 *',
      '0 0 31 4,6 *',
      '60 * * * *',
      '* 24 * * *',
      '* * 32 * *',
      '* * * 13 *',
      '* * * * 8',
      '*/0 * * * *',
      '5-1/0 * * * *',
      '0-99999999 * * * *',
      '1,,2 * * * *',
      ', * * * *',
      '1- * * * *',
      '-1 * * * *',
      '1/2/3 * * * *',
      '* * ? * *',
      'H * * * *',
      '* * * H *',
      '* * * sun *',
      '* * * * jan',
      '* * * * sunmon',
      '* * * * sunday',
      '* * 15W * *',
      '1L * * * *',
      '@daily',
      '* * * * 5#6',
      '1e1 * * * *',
      '0x1 * * * *',
      '+1 * * * *',
      '1.5 * * * *',
      '* * * * *; drop',
      '* * * * * '.repeat(2_000),
      '1,'.repeat(400) + '1 * * * *',
      '* * * * \u0661',
      '99-5 * * * *',
      'every day',
    ]) {
      expect([expression, CronTimes.of(expression, 'UTC')]).toEqual([expression, null]);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('support the zones of IANA and of Rails, and no others', () => {
    const known = [
      ...RAILS_ZONES.keys(),
      'Etc/UTC',
      'Europe/Berlin',
      'America/Argentina/Buenos_Aires',
      'US/Eastern',
      'Etc/GMT+5',
    ];
    expect(known.filter((zone) => CronTimes.of('* * * * *', zone) === null)).toEqual([]);
    expect(RAILS_ZONES.size).toBeGreaterThan(148);
    const unknown = [
      '',
      'Mars/Phobos',
      '../../etc/passwd',
      '+05:30',
      'Europe',
      'Berlin/Europe',
      'UTC\n',
      'A'.repeat(10_000),
      'Etc/GMT+99',
    ];
    expect(unknown.filter((zone) => CronTimes.of('* * * * *', zone) !== null)).toEqual([]);
  });
});

describe('freeze periods', () => {
  it('are in force as specified, in every time zone', () => {
    fc.assert(
      fc.property(zoneWalk, cron, cron, instant, ({ zone, walk }, freezeStart, freezeEnd, offset) => {
        const now = walk.first + offset;
        const [starts, ends] = [walk.matches(freezeStart), walk.matches(freezeEnd)];
        const lastStart = upTo(starts, now);
        const lastEnd = ends.findLast((end) => end < now);
        const nextEnd = ends.find((end) => end >= now);
        const nextStart = after(starts, now);
        fc.pre(
          [lastStart, lastEnd, nextEnd, nextStart].every((time) => time !== undefined && time > walk.first),
        );
        const [from, to] = [lastStart ?? 0, nextEnd ?? 0];
        const isFrozen = (lastEnd ?? 0) < from && to < (nextStart ?? 0);
        const state = freezeState({ freezeStart, freezeEnd, cronTimezone: zone }, now);
        expect(state?.current ?? null).toEqual(isFrozen && from < to ? { start: from, end: to } : null);
        if (state?.next) {
          expect(state.next.start).toBeGreaterThan(now);
          const { start, end } = state.next;
          const within = freezeState(
            { freezeStart, freezeEnd, cronTimezone: zone },
            Math.floor((start + end) / 2),
          );
          expect(within?.current).toEqual(state.next);
        }
      }),
      { numRuns: 80 },
    );
  });

  const weekend: FreezeTimes = { freezeStart: '0 18 * * 5', freezeEnd: '0 6 * * 1', cronTimezone: 'Berlin' };
  const at = (text: string): ReturnType<typeof freezeState> => freezeState(weekend, Date.parse(text));
  const window = (start: string, end: string): object => ({ start: Date.parse(start), end: Date.parse(end) });

  it('have a current and a next window, also across a clock change', () => {
    const first = window('2026-10-23T16:00:00Z', '2026-10-26T05:00:00Z');
    const second = window('2026-10-30T17:00:00Z', '2026-11-02T05:00:00Z');
    expect(at('2026-10-23T15:59:59.999Z')).toEqual({ current: null, next: first });
    expect(at('2026-10-23T16:00:00Z')).toEqual({ current: first, next: second });
    expect(at('2026-10-25T01:30:00Z')).toEqual({ current: first, next: second });
    expect(at('2026-10-26T05:00:00Z')).toEqual({ current: first, next: second });
    expect(at('2026-10-26T05:00:00.001Z')).toEqual({ current: null, next: second });
  });

  it('that never start are never in force, and are detected in a short time', () => {
    const started = performance.now();
    for (const [freezeStart, freezeEnd] of [
      ['* * * * *', '* * * * *'],
      ['* * * * *', '0 0 29 2 *'],
      ['0 0 * 2 5#5', '0 0 * 2 5#5'],
    ] as const)
      expect(freezeState({ freezeStart, freezeEnd, cronTimezone: 'UTC' }, Date.now())).toMatchObject({
        current: null,
      });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(freezeState({ ...weekend, freezeEnd: 'never' }, 0)).toBeNull();
  });
});
