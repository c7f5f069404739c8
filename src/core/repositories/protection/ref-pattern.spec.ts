import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { patternMatcher } from './ref-pattern.js';

const matchesPattern = (name: string, pattern: string): boolean => patternMatcher(pattern)(name);

describe('patternMatcher', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'mai', false],
    ['release/1.0', 'release/*', true],
    ['release/1/2', 'release/*', true],
    ['release', 'release/*', false],
    ['a-stable', '*-stable', true],
    ['aba', 'ab*ba', false],
    ['abba', 'ab*ba', true],
    ['x-gitlab-y', '*gitlab*', true],
    ['anything', '*', true],
    ['a.b', 'a?b', false],
  ])('%s against %s: %s', (name, pattern, expected) => {
    expect(matchesPattern(name, pattern)).toBe(expected);
  });

  it('agrees with the equivalent regular expression', () => {
    const text = (...letters: string[]): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom(...letters) });
    fc.assert(
      fc.property(text('a', 'b', '/'), text('a', 'b', '/', '*'), (name, pattern) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
        return matchesPattern(name, pattern) === expected;
      }),
    );
  });

  it('takes a short time for patterns that cause exponential backtracking', () => {
    expect(matchesPattern('a'.repeat(1000), `${'*a'.repeat(100)}*b`)).toBe(false);
  });
});
