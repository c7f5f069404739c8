import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { freezeStatesNow } from './freeze-states.js';
import { freezeState, type FreezeTimes } from './times/freeze-window.js';

const MINUTE = 60_000;
const MIDNIGHT = Date.parse('2026-03-20T00:00:00Z');

/** Starts that are often ends too, so that many of them start nothing. */
const DENSE: readonly FreezeTimes[] = [
  { freezeStart: '0-31 * * * *', freezeEnd: '0-30,45 * * * *', cronTimezone: 'UTC' },
  { freezeStart: '*/2 * * * *', freezeEnd: '0-40/2,57 * * * *', cronTimezone: 'Europe/Berlin' },
  { freezeStart: '0 18 * * 4', freezeEnd: '0 6 * * 5', cronTimezone: 'America/Havana' },
];

describe('the cached state of freeze periods', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is in every minute what is computed anew', async () => {
    const now = jest.spyOn(Date, 'now');
    let frozen = 0;
    for (let minute = 0; minute < 150; minute += 1) {
      const at = MIDNIGHT + minute * MINUTE;
      now.mockReturnValue(at);
      const states = await freezeStatesNow(DENSE);
      const expected = DENSE.map((times) => freezeState(times, at)?.current ?? null);
      expect({ minute, current: states.map((state) => state?.current ?? null) }).toEqual({
        minute,
        current: expected,
      });
      frozen += expected.filter((window) => window !== null).length;
    }
    expect(frozen).toBeGreaterThan(150);
  });
});
