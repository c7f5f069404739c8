import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.js';

describe('recovery codes', () => {
  it('are ten, of 24 digits each, in groups of four', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^\d{4}(-\d{4}){5}$/);
  });

  it('use every digit equally', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 100; round += 1)
      for (const char of newRecoveryCodes().join('').replaceAll('-', ''))
        counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(10);
    expect(Math.max(...counts.values())).toBeLessThan(2700);
    expect(Math.min(...counts.values())).toBeGreaterThan(2100);
  });

  it('can be typed with blanks or without hyphens', () => {
    const digest = recoveryCodeDigest('0123-4567-8901-2345-6789-0123');
    for (const typed of ['012345678901234567890123', ' 0123 4567 8901-2345 6789 0123\n'])
      expect(recoveryCodeDigest(typed)).toEqual(digest);
    expect(recoveryCodeDigest('0123-4567-8901-2345-6789-012')).not.toEqual(digest);
  });
});
