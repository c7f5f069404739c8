import { describe, expect, it } from '@jest/globals';
import { WalkSample } from '../support/hostile/sample.js';

const ROUTES = Array.from({ length: 500 }, (_, number) => ({
  method: number % 2 ? 'GET' : 'PUT',
  path: `/api/v4/r${number}`,
}));
const DAY = 86_400_000;

describe('the sample of the hostile walk', () => {
  it('is another tenth every day, and all of it in ten days', () => {
    const days = Array.from({ length: 10 }, (_, day) => WalkSample.ofEnvironment({}, day * DAY).of(ROUTES));
    for (const routes of days) {
      expect(routes.length).toBeGreaterThan(25);
      expect(routes.length).toBeLessThan(75);
    }
    expect(new Set(days.flat()).size).toBe(ROUTES.length);
  });

  it('is repeated by its seed', () => {
    const today = WalkSample.ofEnvironment({}, 20_000 * DAY + 5);
    expect(today.toString()).toBe('WALK_SEED=20000');
    expect(WalkSample.ofEnvironment({ WALK_SEED: '20000' }, 0).of(ROUTES)).toEqual(today.of(ROUTES));
    expect(() => WalkSample.ofEnvironment({ WALK_SEED: 'today' })).toThrow('WALK_SEED is no whole number');
  });

  it('is everything where that is asked for', () => {
    expect(WalkSample.ofEnvironment({ TESTS_COMPLETE: '1', WALK_SEED: '3' }).of(ROUTES)).toEqual(ROUTES);
  });
});
