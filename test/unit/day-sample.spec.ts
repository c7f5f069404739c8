import { describe, expect, it } from '@jest/globals';
import { DaySample } from '../support/day-sample.js';

const ROUTES = Array.from({ length: 500 }, (_, number) => ({
  method: number % 2 ? 'GET' : 'PUT',
  path: `/api/v4/r${number}`,
}));
const DAY = 86_400_000;

describe('the sample of a day', () => {
  it('is a different tenth every day, and covers everything in ten days', () => {
    const days = Array.from({ length: 10 }, (_, day) => DaySample.ofEnvironment({}, day * DAY).of(ROUTES));
    for (const routes of days) {
      expect(routes.length).toBeGreaterThan(25);
      expect(routes.length).toBeLessThan(75);
    }
    expect(new Set(days.flat()).size).toBe(ROUTES.length);
  });

  it('is another share on request, which as many days cover', () => {
    const days = Array.from({ length: 3 }, (_, day) => DaySample.ofEnvironment({}, day * DAY).of(ROUTES, 3));
    expect(days.flat()).toHaveLength(ROUTES.length);
    expect(new Set(days.flat()).size).toBe(ROUTES.length);
  });

  it('selects every nth case, starting with a different one each day', () => {
    const cases = ['a', 'b', 'c', 'd', 'e'];
    const days = [0, 1, 2].map((day) => DaySample.ofEnvironment({}, day * DAY).some(cases, 3));
    expect(days).toEqual([['a', 'd'], ['b', 'e'], ['c']]);
    expect(DaySample.ofEnvironment({ TESTS_COMPLETE: '1' }).some(cases, 3)).toEqual(cases);
  });

  it('is reproduced by its seed', () => {
    const today = DaySample.ofEnvironment({}, 20_000 * DAY + 5);
    expect(today.toString()).toBe('DAY_SEED=20000');
    expect(DaySample.ofEnvironment({ DAY_SEED: '20000' }, 0).of(ROUTES)).toEqual(today.of(ROUTES));
    expect(() => DaySample.ofEnvironment({ DAY_SEED: 'today' })).toThrow('DAY_SEED is no whole number');
  });

  it('contains everything on request', () => {
    expect(DaySample.ofEnvironment({ TESTS_COMPLETE: '1', DAY_SEED: '3' }).of(ROUTES)).toEqual(ROUTES);
  });
});
