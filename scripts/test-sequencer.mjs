// The order of test files: longest first, so that none of them is left alone at the end. On a clean clone
// jest only knows their sizes.
import { statSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/** Specs that start processes take longer for their size; those that walk all routes take longest. */
const FACTORS = [
  [/hostile-walk/, 100],
  [/role-matrix|filter-leaks/, 30],
  [/\/test\/processes\//, 8],
  [/\/test\/clients\/(?!gitbeaker)/, 4],
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const weights = new Map(Array.from(tests, ({ path }) => [path, weightOf(path)]));
    return Array.from(tests).sort((one, other) => weights.get(other.path) - weights.get(one.path));
  }
}

function weightOf(path) {
  const factor = FACTORS.find(([pattern]) => pattern.test(path))?.[1] ?? 1;
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) * factor;
}
