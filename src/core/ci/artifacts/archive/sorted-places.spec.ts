import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PLACES_A_TURN, sortedPlaces } from './sorted-places.js';

it('sorts like Array.sort, for any number of records', async () => {
  const sizes = fc.integer({ min: 0, max: 5 * PLACES_A_TURN });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 1_000 }), async (count, step) => {
      const keys = Array.from({ length: count }, (_, place) => (place * 7_919 * step) % 10_007);
      const compare = (one: number, other: number): number => (keys[one] as number) - (keys[other] as number);
      expect([...(await sortedPlaces(count, compare))]).toEqual([...keys.keys()].sort(compare));
    }),
    { numRuns: 20 },
  );
});
