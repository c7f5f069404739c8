import { describe, expect, it } from '@jest/globals';
import { within } from './within.js';

const never = new Promise<string>(() => undefined);

describe('within', () => {
  it('returns the result of the work', async () => {
    expect(await within(1_000, Promise.resolve('done'), () => 'late')).toBe('done');
    await expect(within(1_000, Promise.reject(new Error('no')), () => 'late')).rejects.toThrow('no');
  });

  it('runs the fallback once the time is over', async () => {
    expect(await within(1, never, () => 'late')).toBe('late');
    const refuse = (): never => {
      throw new Error('late');
    };
    await expect(within(1, never, refuse)).rejects.toThrow('late');
  });

  it('ignores errors of work that is no longer awaited', async () => {
    let fail = (_error: Error): void => undefined;
    const work = new Promise<string>((_resolve, reject) => (fail = reject));
    expect(await within(1, work, () => 'late')).toBe('late');
    fail(new Error('nobody hears it'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
