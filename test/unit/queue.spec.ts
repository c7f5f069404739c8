import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { batcher } from '#kernel/queue/outbox/batcher.js';
import { backoffMs, defineJob } from '#kernel/queue/job-definition.js';
import { Pump } from '#kernel/queue/running/pump.js';

describe('defineJob', () => {
  const options = { queue: 'unit', attempts: 2, backoff: { type: 'fixed', delayMs: 10 } } as const;

  it('refuses two jobs of the same name, and invalid values', () => {
    expect(defineJob({ ...options, name: 'unit.one' }).timeoutMs).toBe(600_000);
    expect(() => defineJob({ ...options, name: 'unit.one' })).toThrow('defined twice');
    expect(() => defineJob({ ...options, name: 'unit.two', attempts: 0 })).toThrow('one attempt or more');
    expect(() => defineJob({ ...options, name: 'unit.three', queue: 'a b' })).toThrow('not valid');
  });

  it('doubles exponential pauses up to their limit', () => {
    const pauses = [1, 2, 3, 4, 60].map((attempt) =>
      backoffMs({ type: 'exponential', delayMs: 100, maxMs: 700 }, attempt),
    );
    expect(pauses).toEqual([100, 200, 400, 700, 700]);
    expect(backoffMs({ type: 'fixed', delayMs: 100 }, 5)).toBe(100);
  });
});

describe('a batcher', () => {
  it('groups calls that arrive during a flush, in order, and fails only the failed batch', async () => {
    const batches: number[][] = [];
    const tens = batcher<number, number>(async (items) => {
      batches.push([...items]);
      await sleep(5);
      if (items.includes(3)) throw new Error('three');
      return items.map((item) => item * 10);
    }, 2);
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => tens.load(item)));
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      10,
      20,
      'failed',
      'failed',
      50,
    ]);
  });
});

describe('Pump', () => {
  it('loses no wake-up, and never runs two steps at a time', async () => {
    let active = 0;
    let most = 0;
    let steps = 0;
    const pump = new Pump(
      async () => {
        most = Math.max(most, (active += 1));
        await sleep(5);
        active -= 1;
        steps += 1;
        return false;
      },
      () => undefined,
    );
    pump.wake();
    pump.wake();
    await sleep(2);
    pump.wake();
    await sleep(30);
    expect(steps).toBe(2);
    expect(most).toBe(1);
    pump.wake();
    await pump.stop();
    expect(steps).toBe(3);
  });

  it('continues by itself after an error', async () => {
    let steps = 0;
    const errors: unknown[] = [];
    const pump = new Pump(
      () => {
        steps += 1;
        return steps === 1 ? Promise.reject(new Error('once')) : Promise.resolve(false);
      },
      (error) => errors.push(error),
    );
    pump.wake();
    await sleep(250);
    expect(steps).toBe(2);
    expect(errors).toHaveLength(1);
    await pump.stop();
  });
});
