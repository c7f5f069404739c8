import { describe, expect, it } from '@jest/globals';
import { parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['42', 42],
    ['30 days', 2_592_000],
    ['1 week', 604_800],
    ['3 mins 4 sec', 184],
    ['2 hrs 20 min', 8_400],
    ['2h20min', 8_400],
    ['6 mos 1 day', 15_638_400],
    ['47 yrs 6 mos and 4d', 47 * 31_557_600 + 6 * 2_592_000 + 4 * 86_400],
    ['3 weeks and 2 days', 1_987_200],
    ['1 Day, 2 Hours', 93_600],
    ['1.5 hours', 5_400],
    ['1h 30m', 5_400],
    ['2 weeks and 1 day', 1_296_000],
    ['1 month', 2_592_000],
    ['10000 years', 315_576_000_000],
  ])('reads %s', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each([
    '',
    ' ',
    'soon',
    '3',
    '3 moons',
    'days',
    '-1 day',
    '1 day tomorrow',
    '99999999 years',
    '10001 years',
    '9'.repeat(12),
    '9'.repeat(40),
    '1 fortnight',
    '1 day,',
  ])('refuses %j unless it is a number', (text) => expect(parseDuration(text)).toBe(text === '3' ? 3 : null));
});
