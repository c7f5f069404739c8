import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import qs from 'qs';
import { QUERY_LIMITS } from '../query-string.js';
import { parseForm } from './parse-body.js';

const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };
const parse = (form: string): Promise<object> => parseForm(Buffer.from(form), HEADERS);
const parseLatin = (form: string): Promise<object> =>
  parseForm(Buffer.from(form, 'latin1'), {
    'content-type': `${HEADERS['content-type']}; charset=iso-8859-1`,
  });
const MANY = 1_000;

describe('long values of forms', () => {
  it.each([
    ['unescaped', 'abcä', 'abcä'],
    ['with escapes and plus signs', '%41+b%c3%a4%2B', 'A bä+'],
    ['with brackets in escapes', '%5B%5d', '[]'],
    ['with invalid escapes', 'a+b%zz%', 'a b%zz%'],
    ['with bytes that are not text', 'a+%ff', 'a %ff'],
  ])('are parsed %s like short ones', async (_name, sent, read) => {
    expect(await parse(`a[b]=${sent}&c=1`)).toEqual({ a: { b: read }, c: '1' });
    expect(await parse(`a[b]=${sent.repeat(MANY)}&c=1`)).toEqual({ a: { b: read.repeat(MANY) }, c: '1' });
  });

  it.each([
    ['unescaped', 'abcä', 'abcä'],
    ['with escapes and plus signs', '%41+b%e4%2B', 'A bä+'],
    ['with invalid escapes', 'a+b%zz%', 'a b%zz%'],
  ])('are parsed %s in ISO 8859-1', async (_name, sent, read) => {
    expect(await parseLatin(`a[b]=${sent}&c=1`)).toEqual({ a: { b: read }, c: '1' });
    expect(await parseLatin(`a[b]=${sent.repeat(MANY)}&c=1`)).toEqual({
      a: { b: read.repeat(MANY) },
      c: '1',
    });
  });

  it('are independent of each other, and keep their order', async () => {
    const long = 'x'.repeat(2_000);
    expect(await parse(`\ud8000=1&a=\ud8000&b[]=${long}&b[]=y`)).toEqual({
      '\ufffd0': '1',
      a: '\ufffd0',
      b: [long, 'y'],
    });
    expect(await parse(`${'n'.repeat(2_000)}=1&a=2&${'n'.repeat(2_000)}`)).toEqual({ a: '2' });
  });

  it('are parsed like the general parser parses forms', async () => {
    const part = fc.constantFrom('a', '+', '%', '%41', '%c3%a4', '%e4', '%zz', 'ä', ']', '[', '=', '.', '0');
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 5 }), async (pairs) => {
        const form = pairs.map(([name, value]) => `n${name}=${value}`).join('&');
        expect(await parse(form)).toEqual(
          qs.parse(form, { ...QUERY_LIMITS, arrayLimit: 100, allowPrototypes: true }),
        );
      }),
    );
  });
});
