import { describe, expect, it } from '@jest/globals';
import qs from 'qs';
import { numberHashes } from './form-lists.js';

const read = (text: string): unknown => qs.parse(numberHashes(text));

describe('lists of hashes in forms', () => {
  it('start a hash when a name is repeated', () => {
    expect(read('a[][x]=1&a[][y]=2&a[][x]=3&b=4&a[][z]=5')).toEqual({
      a: [
        { x: '1', y: '2' },
        { x: '3', z: '5' },
      ],
      b: '4',
    });
  });

  it('can be escaped, nested, and contain lists and hashes', () => {
    expect(read('c%5Ba%5D%5B%5D%5Bx%5D=1&c[a][][x]=%262&c[a][][l][]=1&c[a][][l][]=2&c[a][][h][k]=3')).toEqual(
      {
        c: { a: [{ x: '1' }, { x: '&2', l: ['1', '2'], h: { k: '3' } }] },
      },
    );
  });

  it('leave everything else unchanged', () => {
    for (const text of ['a[]=1&a[]=2', 'a[0][x]=1&a[1][x]=2', 'a=1&%E0%A4%A=2', 'a[][=1', '[][x]=1', ''])
      expect(numberHashes(text)).toBe(text);
  });
});
