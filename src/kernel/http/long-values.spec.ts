import { describe, expect, it } from '@jest/globals';
import { parseForm } from './parse-body.js';

const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };
const parse = (form: string): object => parseForm(Buffer.from(form), HEADERS);
const MANY = 30_000;

describe('long values of forms', () => {
  it.each([
    ['as they are', 'abcä', 'abcä'],
    ['with escapes and plus signs', '%41+b%c3%a4%2B', 'A bä+'],
    ['with brackets in escapes', '%5B%5d', '[]'],
    ['with escapes that mean nothing', 'a+b%zz%', 'a b%zz%'],
    ['with bytes that are no text', 'a+%ff', 'a %ff'],
  ])('are read %s, like short ones', (_name, sent, read) => {
    expect(parse(`a[b]=${sent}&c=1`)).toEqual({ a: { b: read }, c: '1' });
    expect(parse(`a[b]=${sent.repeat(MANY)}&c=1`)).toEqual({ a: { b: read.repeat(MANY) }, c: '1' });
  });

  it('leave names alone that look like ours, and lists in their order', () => {
    const long = 'x'.repeat(100_000);
    expect(parse(`a=long-value-7&b[]=${long}&b[]=y`)).toEqual({ a: 'long-value-7', b: [long, 'y'] });
    expect(Object.keys(parse(`${'n'.repeat(100_000)}=1&a=2`))).toHaveLength(2);
  });
});
