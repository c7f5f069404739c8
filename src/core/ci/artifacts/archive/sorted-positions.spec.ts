import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { POSITIONS_A_TURN, sortedPositions } from './sorted-positions.js';

it('sorts like Array.sort, for any number of records', async () => {
  const sizes = fc.integer({ min: 0, max: 5 * POSITIONS_A_TURN });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 1_000 }), async (count, step) => {
      const keys = Array.from({ length: count }, (_, position) => (position * 7_919 * step) % 10_007);
      const compare = (one: number, other: number): number => (keys[one] as number) - (keys[other] as number);
      expect([...(await sortedPositions(count, compare))]).toEqual([...keys.keys()].sort(compare));
    }),
    { numRuns: 20 },
  );
});
