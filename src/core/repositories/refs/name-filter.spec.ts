import { describe, expect, it } from '@jest/globals';
import { filterByName } from './name-filter.js';

const refs = (...names: string[]): { name: string; id: string }[] => names.map((name) => ({ name, id: '' }));
const found = (search: string, ...names: string[]): string[] =>
  filterByName(refs(...names), { search }).map(({ name }) => name);

describe('filterByName', () => {
  it.each([
    ['a', ['a', 'ba', 'A/b']],
    ['^a', ['a', 'A/b']],
    ['a$', ['a', 'ba']],
    ['^a$', ['a']],
    ['^', ['a', 'ba', 'A/b', 'c']],
    ['$', ['a', 'ba', 'A/b', 'c']],
    ['.', []],
  ])('finds %s', (search, expected) => {
    expect(found(search, 'a', 'ba', 'A/b', 'c')).toEqual(expected);
  });

  it('refuses invalid patterns, including those that RE2 does not support', () => {
    for (const regex of ['(', '[a', 'a{1001}', '(?=a)', '\\1', '*'])
      expect(() => filterByName(refs('a'), { regex })).toThrow('is invalid');
  });

  it('refuses patterns that are slow for many long names', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `${'a'.repeat(1_000)}${index}`);
    expect(() => filterByName(refs(...names), { regex: '((((\\pL){10}){10}){10})[0-9]{9}' })).toThrow(
      'takes too long',
    );
  });

  it('does not backtrack exponentially', () => {
    expect(filterByName(refs(`${'a'.repeat(1_000)}b`), { regex: '^(a+)+$' })).toEqual([]);
  });
});
