import { afterEach, expect, it, jest } from '@jest/globals';
import type { ApiRequest } from '../request.js';
import { EventTimings } from './event-timings.js';
import { looks } from './looks.js';
import { Readmission } from './readmission.js';

const HOUR = 3_600_000;

afterEach(() => void jest.restoreAllMocks());

/** From now on the clock of the system is an hour behind, and `ms` have passed. */
function setBack(ms: number): void {
  const [time, passed] = [Date.now(), performance.now()];
  jest.spyOn(Date, 'now').mockReturnValue(time - HOUR);
  jest.spyOn(performance, 'now').mockReturnValue(passed + ms);
}

const asking = (readmit: () => Promise<void>): Readmission =>
  new Readmission({ path: '/', readmit } as unknown as ApiRequest, new EventTimings());

it('a caller is checked with each heartbeat, even if the clock is set back', async () => {
  const readmit = jest.fn(() => Promise.resolve());
  const readmission = asking(readmit);
  await readmission.keep();
  expect(readmit).not.toHaveBeenCalled();
  setBack(16_000);
  await readmission.keep();
  await readmission.keep();
  expect(readmit).toHaveBeenCalledTimes(1);
});

it('a stream ends after its time, even if the clock is set back', async () => {
  const readmission = asking(() => Promise.resolve());
  const options = { readmission, paceMs: 1, maxMs: HOUR / 2, signal: new AbortController().signal };
  const stream = looks(1, () => Promise.resolve(2), options);
  expect((await stream.next()).value).toBe(1);
  expect((await stream.next()).value).toBe(2);
  setBack(HOUR / 2 + 1);
  expect((await stream.next()).done).toBe(true);
});
