import { describe, expect, it } from '@jest/globals';
import { problemInTime, problemOf } from './finding.js';

describe('a check of doctor', () => {
  it('finds the problem that it throws, or nothing', async () => {
    expect(await problemOf(() => Promise.resolve())).toBeNull();
    expect(await problemOf(() => Promise.reject(new Error('EACCES:\n no access')))).toBe(
      'EACCES: | no access',
    );
  });

  it('ends if what it looks at never responds', async () => {
    const silent = new Promise<void>(() => undefined);
    expect(await problemInTime(() => silent, 20)).toBe('no response within 0.02 seconds');
  });
});
