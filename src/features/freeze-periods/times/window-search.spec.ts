import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CronSchedule } from './cron-schedule.js';
import { windowStarts } from './window-search.js';

const MINUTE = 60_000;
const MIDNIGHT = Date.parse('2027-03-01T00:00:00Z');
const DAYS = 9;

const minutes = fc.constantFrom('*', '0', '59', '*/2', '1-59/2', '0-31', '0-30,45', '30');
const hours = fc.constantFrom('*', '0', '23', '0-22', '0-21,23', '6-18/4');
const days = fc.constantFrom('* * *', '* * 1-5', '* * 0,6', '2,3 * *', '* * 2', '1 * 3');
const cron = fc.tuple(minutes, hours, days).map((parts) => parts.join(' '));

const scheduleOf = (text: string): CronSchedule => {
  const schedule = CronSchedule.parse(text);
  if (!schedule) throw new Error(text);
  return schedule;
};

/** Starts that are no ends, and are followed by an end that is no start: minute by minute. */
function expectedStarts(starts: CronSchedule, ends: CronSchedule, after: number): number[] {
  const matches = (schedule: CronSchedule, time: number): boolean => schedule.upTo(time) === time;
  const found: number[] = [];
  let open: number | null = null;
  for (let time = MIDNIGHT; time < MIDNIGHT + DAYS * 1440 * MINUTE; time += MINUTE) {
    const [isStart, isEnd] = [matches(starts, time), matches(ends, time)];
    if (!isStart && !isEnd) continue;
    if (isEnd && !isStart && open !== null && open > after) found.push(open);
    open = isStart && !isEnd ? time : null;
  }
  return found;
}

describe('the search for windows', () => {
  it('finds all of them in order, however many starts lead to nothing', () => {
    fc.assert(
      fc.property(cron, cron, fc.nat(1440), (start, end, offset) => {
        const [starts, ends] = [scheduleOf(start), scheduleOf(end)];
        const after = MIDNIGHT + offset * MINUTE;
        const expected = expectedStarts(starts, ends, after);
        const found: number[] = [];
        for (const time of windowStarts(starts, ends, after)) {
          if (time > (expected.at(-1) ?? 0)) break;
          found.push(time);
        }
        expect([start, end, found]).toEqual([start, end, expected]);
      }),
      { numRuns: 60 },
    );
  });

  it('ends where nothing can follow', () => {
    for (const [start, end] of [
      ['* * * * *', '* * * * *'],
      ['0 0 29 2 *', '* * * * *'],
    ] as const)
      expect([...windowStarts(scheduleOf(start), scheduleOf(end), MIDNIGHT)]).toEqual([]);
  });
});
