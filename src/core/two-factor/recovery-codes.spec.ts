import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.js';

describe('recovery codes', () => {
  it('are ten, of 80 bits each, in groups of four', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){3}$/);
  });

  it('use every character alike', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 500; round += 1)
      for (const char of newRecoveryCodes().join('').replaceAll('-', ''))
        counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(32);
    expect(Math.max(...counts.values())).toBeLessThan(2800);
    expect(Math.min(...counts.values())).toBeGreaterThan(2200);
  });

  it('may be typed with capitals, blanks or without hyphens', () => {
    const digest = recoveryCodeDigest('abcd-efgh-2345-6789');
    for (const typed of ['ABCD-efgh-2345-6789', 'abcdefgh23456789', ' abcd efgh 2345 6789 '])
      expect(recoveryCodeDigest(typed)).toEqual(digest);
    expect(recoveryCodeDigest('abcd-efgh-2345-678')).not.toEqual(digest);
  });
});
