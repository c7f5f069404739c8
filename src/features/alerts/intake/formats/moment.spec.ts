import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readMoment } from './moment.js';

describe('a time in a payload', () => {
  it.each([
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T05:06:07.891234567Z', '2026-03-04T05:06:07.891Z'],
    ['2026-03-04T05:06:07.5+02:00', '2026-03-04T03:06:07.500Z'],
    ['2026-03-04T05:06:07-0930', '2026-03-04T14:36:07.000Z'],
    ['2026-03-04 05:06:07 UTC', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04 05:06:07 +01', '2026-03-04T04:06:07.000Z'],
    ['2026-03-04T05:06', '2026-03-04T05:06:00.000Z'],
    [' 2026-03-04 ', '2026-03-04T00:00:00.000Z'],
    ['2026-03-04t05:06:07z', '2026-03-04T05:06:07.000Z'],
  ])('is read from %j', (text, time) => {
    expect(readMoment(text)?.toISOString()).toBe(time);
  });

  it.each([
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
    '2026-13-01T00:00:00Z',
    '2026-03-04T25:00:00Z',
    '2026-03-04T05:06:07+99:99',
    'yesterday',
    '1',
    '',
    1_772_600_767,
    true,
    null,
    undefined,
    ['2026-03-04'],
    { time: '2026-03-04' },
    `2026-03-04${' '.repeat(1_000_000)}`,
  ])('is not read from case %#', (value) => {
    expect(readMoment(value)).toBeNull();
  });

  it('is read back as it was written', () => {
    const times = fc.date({
      min: new Date('0002-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, (time) => {
        expect(readMoment(time.toISOString())).toEqual(time);
      }),
    );
  });
});
