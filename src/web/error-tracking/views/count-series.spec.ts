import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginningOf, LAST_DAY, LAST_MONTH, seriesOf } from './count-series.js';

const HOUR = 3_600_000;

describe.each([
  ['the last day', LAST_DAY],
  ['the last month', LAST_MONTH],
])('the bars of %s', (_name, span) => {
  it('contain every event since their start once, the current ones last', () => {
    const time = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
    const hours = fc.array(
      fc.record({ ago: fc.integer({ min: -3, max: 800 }), count: fc.integer({ min: 1, max: 9 }) }),
    );
    fc.assert(
      fc.property(time, hours, (now, counted) => {
        const present = Math.floor(now / HOUR) * HOUR;
        const rows = counted.map(({ ago, count }) => ({
          error_id: 1,
          hour: new Date(present - ago * HOUR),
          count,
        }));
        const begin = beginningOf(span, now);
        const within = rows.filter(({ hour }) => hour > begin);
        const series = seriesOf(rows, span, now);
        expect(series).toHaveLength(span.length);
        const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
        expect(sum(series)).toBe(sum(within.map(({ count }) => count)));
        expect(series.at(-1)).toBe(
          sum(
            rows
              .filter(
                ({ hour }) => hour.getTime() >= Math.floor(now / (span.hours * HOUR)) * span.hours * HOUR,
              )
              .map(({ count }) => count),
          ),
        );
      }),
    );
  });
});
