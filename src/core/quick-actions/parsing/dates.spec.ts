import { describe, expect, it } from '@jest/globals';
import { dayOf } from './dates.js';
import { spentIn } from './spent-time.js';

/** A Sunday. */
const TODAY = '2026-11-22';
const daysOf = (texts: readonly string[]): (string | null)[] => texts.map((text) => dayOf(text, TODAY));

describe('dates in commands', () => {
  it('are dates, words and intervals', () => {
    expect(daysOf(['2027-02-28', '2027/2/3', 'today', 'Tomorrow', 'yesterday', 'on  2027-01-01'])).toEqual([
      '2027-02-28',
      '2027-02-03',
      '2026-11-22',
      '2026-11-23',
      '2026-11-21',
      '2027-01-01',
    ]);
    expect(
      daysOf([
        'in 2 days',
        'in a week',
        'in 3 weeks',
        '2 months from now',
        'in 1 year',
        'next week',
        'next month',
      ]),
    ).toEqual([
      '2026-11-24',
      '2026-11-29',
      '2026-12-13',
      '2027-01-22',
      '2027-11-22',
      '2026-11-29',
      '2026-12-22',
    ]);
    expect(dayOf('in 1 month', '2027-01-31')).toBe('2027-02-28');
  });

  it('are the next days of the week and of months', () => {
    expect(daysOf(['monday', 'next Fri', 'this sunday'])).toEqual(['2026-11-23', '2026-11-27', '2026-11-29']);
    expect(
      daysOf(['December 24th', 'jan 1', '22 November', '21 nov', '3rd of March, 2028', 'feb 29 2028']),
    ).toEqual(['2026-12-24', '2027-01-01', '2026-11-22', '2027-11-21', '2028-03-03', '2028-02-29']);
  });

  it('are invalid otherwise', () => {
    const texts = [
      '',
      'soon',
      '2026-02-30',
      '2026-13-01',
      '0000-01-01',
      'in 2',
      '2 days',
      'in 99999 years',
      'feb 30',
      'feb 29 2027',
      'marvel 3',
      'sunbeam',
      'monx',
      '31',
      'x'.repeat(1_000),
    ];
    expect(daysOf(texts)).toEqual(texts.map(() => null));
  });
});

describe('time spent', () => {
  it('has a duration, and a day up to today', () => {
    expect(spentIn('1h 30m', TODAY)).toEqual({ duration: '1h 30m', seconds: 5_400, day: null });
    expect(spentIn('-1h 2026-11-20', TODAY)).toEqual({
      duration: '-1h',
      seconds: -3_600,
      day: '2026-11-20',
    });
    expect(spentIn('2h yesterday', TODAY)).toMatchObject({ day: '2026-11-21' });
    expect(spentIn('2h today', TODAY)).toMatchObject({ day: null });
    const none = ['', '0h', 'later', '1h 2026-11-23', '1h 2026-02-30', '2026-11-20', '1h tomorrow'];
    expect(none.map((text) => spentIn(text, TODAY))).toEqual(none.map(() => null));
  });
});
