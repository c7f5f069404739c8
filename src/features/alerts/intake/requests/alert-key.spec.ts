import { describe, expect, it } from '@jest/globals';
import { readAlertKey } from './alert-key.js';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const keyOf = (...sent: readonly string[]): string | null =>
  readAlertKey({
    headers: sent[0] === undefined ? {} : { authorization: sent[0] },
    rawHeaders: sent.flatMap((value) => ['Authorization', value]),
  });

describe('the key of a payload', () => {
  it.each([
    ['Bearer k1', 'k1'],
    ['bearer  k1 ', 'k1'],
    [basic(':k2'), 'k2'],
    [basic('any:k2:3'), 'k2:3'],
    [basic('').replace('Basic', 'BASIC'), null],
    [basic(':'), null],
    [basic('k3'), null],
    ['Bearer', null],
    ['Bearer ', null],
    ['Bearer a b', null],
    ['Basic %%%', null],
    ['Digest k1', null],
    ['k1', null],
    [`Bearer ${'x'.repeat(5000)}`, null],
  ])('of %j is %j', (header, key) => {
    expect(keyOf(header)).toBe(key);
  });

  it('is null if there is none or more than one', () => {
    expect(keyOf()).toBeNull();
    expect(keyOf('Bearer k1', 'Bearer k2')).toBeNull();
  });
});
