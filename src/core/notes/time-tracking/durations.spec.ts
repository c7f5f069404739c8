import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { humanDuration, parseDuration } from './durations.js';

describe('durations', () => {
  it('are read in every unit, with fractions and signs', () => {
    const texts = ['1mo 2w 3d 4h 5m 6s', '3h30m', '-1h', '1.5h', '90 minutes', '2', '0', '1MO', '1h 1h'];
    expect(texts.map(parseDuration)).toEqual([
      160 * 3600 + 80 * 3600 + 24 * 3600 + 4 * 3600 + 306,
      12_600,
      -3_600,
      5_400,
      5_400,
      7_200,
      0,
      576_000,
      7_200,
    ]);
  });

  it('are refused if they are invalid', () => {
    const texts = [
      '',
      ' ',
      'h',
      '1x',
      '1h -1m',
      'later',
      '1h,2m',
      '--1h',
      '1e3h',
      '9999999999h',
      '999999999mo',
    ];
    expect(texts.map(parseDuration)).toEqual(texts.map(() => null));
  });

  it('are formatted for users, and null if there is none', () => {
    expect([12_600, -3_600, 0, 576_061].map(humanDuration)).toEqual(['3h 30m', '-1h', null, '1mo 1m 1s']);
  });

  it('are parsed to the same value after formatting', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3_600_000_000, max: 3_600_000_000 }), (seconds) => {
        expect(parseDuration(humanDuration(seconds) ?? '0')).toBe(seconds);
      }),
    );
  });
});
