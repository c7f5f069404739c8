import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linkHeader } from './link-header.js';
import { anyCharacter } from '../../../../test/support/any-text.js';

const BASE = 'https://forge.test/api/v4/projects';
const targets = [
  { rel: 'next', changes: { page: 3, per_page: 20 } },
  { rel: 'first', changes: { page: 1, per_page: 20 } },
] as const;

describe('Link headers', () => {
  it('repeat every parameter, whatever it contains', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((one) => !/^(page|per_page|\w+_token|__proto__)$/.test(one));
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: anyCharacter })), (params) => {
        const header = linkHeader(BASE, { ...params, page: '2' }, targets);
        const links = header.split(', ').map((link) => /^<([^<>" ]+)>; rel="(\w+)"$/.exec(link));
        expect(links.map((link) => link?.[2])).toEqual(['next', 'first']);
        const query = new URL(links[0]?.[1] ?? '').searchParams;
        for (const [key, value] of Object.entries(params))
          expect(query.get(key.toWellFormed())).toBe(value.toWellFormed());
        expect(query.getAll('page')).toEqual(['3']);
        expect(header).toMatch(/^[\x21-\x7e ]*$/);
      }),
    );
  });

  it('are sorted by name, write lists and hashes in brackets, and omit undefined values', () => {
    const header = linkHeader(BASE, { z: 1, a: ['x', 'y'], h: { k: { d: true } }, cursor: 'old' }, [
      { rel: 'next', changes: { cursor: 'new', page: undefined } },
    ]);
    expect(header).toBe(`<${BASE}?a%5B%5D=x&a%5B%5D=y&cursor=new&h%5Bk%5D%5Bd%5D=true&z=1>; rel="next"`);
  });

  it('never contain a credential, and cannot be broken by parameters', () => {
    const secrets = { private_token: 's1', access_token: 's2', job_token: 's3', bearer_token: 's4' };
    const header = linkHeader(`${BASE}/a>; rel="x"`, secrets, targets);
    expect(header).not.toMatch(/s\d/);
    expect(header.split('>').length).toBe(3);
  });

  it('omit links that are too long for clients, and keep the next one', () => {
    const header = linkHeader(BASE, { search: 'x'.repeat(8000) }, [
      { rel: 'prev', changes: { page: 1 } },
      { rel: 'next', changes: { page: 3 } },
      { rel: 'first', changes: { page: 1 } },
    ]);
    expect(header.length).toBeLessThan(12 * 1024);
    expect(header.match(/rel="\w+"/g)).toEqual(['rel="next"']);
  });
});
