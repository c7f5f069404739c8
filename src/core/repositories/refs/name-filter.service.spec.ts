import { afterAll, describe, expect, it } from '@jest/globals';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import { NameFilterService } from './name-filter.service.js';

const refs = (...names: string[]): { name: string; id: string }[] => names.map((name) => ({ name, id: '' }));

describe('a filter by name', () => {
  const threads = new ThreadsService();
  const names = new NameFilterService(threads);
  afterAll(() => threads.onApplicationShutdown());

  it.each([
    ['a', ['a', 'ba', 'A/b']],
    ['^a', ['a', 'A/b']],
    ['a$', ['a', 'ba']],
    ['^a$', ['a']],
    ['^', ['a', 'ba', 'A/b', 'c']],
    ['$', ['a', 'ba', 'A/b', 'c']],
    ['.', []],
  ])('finds %s', async (search, expected) => {
    const found = await names.filter(refs('a', 'ba', 'A/b', 'c'), { search });
    expect(found.map(({ name }) => name)).toEqual(expected);
  });

  it('finds repetitions in a thread', async () => {
    const found = await names.filter(refs('a', 'aa', 'aaa'), { regex: '^a{2,3}$' });
    expect(found.map(({ name }) => name)).toEqual(['aa', 'aaa']);
  });

  it.each(['(', '[a', 'a{1001}', '(?=a)', '\\1', '*'])('refuses the invalid %s', async (regex) => {
    await expect(names.filter(refs('a'), { regex })).rejects.toThrow('is invalid');
  });

  it('refuses patterns that are slow for many long names', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `${'a'.repeat(1_000)}${index}`);
    await expect(names.filter(refs(...many), { regex: '((((\\pL){10}){10}){10})[0-9]{9}' })).rejects.toThrow(
      'takes too long',
    );
  });

  it('does not backtrack exponentially', async () => {
    expect(await names.filter(refs(`${'a'.repeat(1_000)}b`), { regex: '^(a+)+$' })).toEqual([]);
  });
});
