import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { untilAborted } from './until-aborted.js';

describe('waiting until a signal is aborted', () => {
  const never = new Promise<string>(() => undefined);

  it('passes the result, and forgets the signal', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(signal, Promise.resolve('done'))).toBe('done');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(await untilAborted(undefined, Promise.resolve('done'))).toBe('done');
  });

  it('throws the reason, also of a signal that was aborted before', async () => {
    const control = new AbortController();
    const waiting = untilAborted(control.signal, never);
    control.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(untilAborted(control.signal, never)).rejects.toThrow('gone');
  });
});
