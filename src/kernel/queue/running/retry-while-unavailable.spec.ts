import { expect, it, jest } from '@jest/globals';
import { within } from '#kernel/time/within.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

it('gives up at the end of its time although the clock is set back', async () => {
  const HOUR_MS = 3_600_000;
  const clock = jest.spyOn(Date, 'now');
  try {
    const failing = (): Promise<never> => {
      clock.mockReturnValue(performance.timeOrigin - HOUR_MS);
      return Promise.reject(new Error('unavailable'));
    };
    const ended = retryWhileUnavailable(failing, 1_000);
    await expect(within(30_000, ended, () => 'it goes on')).rejects.toThrow('unavailable');
  } finally {
    clock.mockRestore();
  }
});
