import { describe, expect, it } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from './within.js';

const never = new Promise<string>(() => undefined);

/** As for a process that is stopped, or gets no processor. */
function pause(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Needs two answers of the disk, which come during and after a pause. */
async function readAfterPause(ms: number): Promise<string> {
  const first = stat('/');
  pause(ms);
  await first;
  await stat('/');
  return 'done';
}

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

  it.each([0, 170])('does not take a pause of the process after %i ms for silence', async (beforeMs) => {
    const work = sleep(beforeMs).then(() => readAfterPause(500));
    expect(await within(200, work, () => 'late')).toBe('done');
  });

  it('ends although the process is paused again and again', async () => {
    const pauses = setInterval(() => pause(30), 35);
    try {
      expect(await within(40, never, () => 'late')).toBe('late');
    } finally {
      clearInterval(pauses);
    }
  });

  it('ignores errors of work that is no longer awaited', async () => {
    let fail = (_error: Error): void => undefined;
    const work = new Promise<string>((_resolve, reject) => (fail = reject));
    expect(await within(1, work, () => 'late')).toBe('late');
    fail(new Error('nobody hears it'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
