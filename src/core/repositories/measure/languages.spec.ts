import { describe, expect, it } from '@jest/globals';
import { languageOf, languageShares } from './languages.js';

describe('languageOf', () => {
  it.each([
    ['src/a.ts', 'TypeScript'],
    ['A.PY', 'Python'],
    ['docker/Dockerfile', 'Dockerfile'],
    ['Makefile', 'Makefile'],
    ['a.b.rb', 'Ruby'],
    ['ts', null],
    ['README.md', null],
    ['data.json', null],
    ['constructor', null],
    ['a.constructor', null],
    ['vendor/lib/a.rb', null],
    ['web/node_modules/x/a.js', null],
    ['jquery.min.js', null],
    ['vendors/a.rb', 'Ruby'],
  ])('%s: %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });
});

describe('languageShares', () => {
  it('returns percentages with two digits, the largest first', () => {
    const shares = languageShares(
      new Map([
        ['Go', 1],
        ['C', 2],
      ]),
    );
    expect(JSON.stringify(shares)).toBe('{"C":66.67,"Go":33.33}');
    expect(languageShares(new Map([['Go', 0]]))).toEqual({});
  });
});
