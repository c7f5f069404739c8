import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { readAhead } from './read-ahead.js';

describe('reading ahead', () => {
  it('prepares one item while the previous one is processed, and no more', async () => {
    const events: string[] = [];
    async function* items(): AsyncGenerator<number> {
      for (let item = 1; item <= 4; item += 1) {
        events.push(`make ${item}`);
        yield item;
        await setImmediate();
      }
    }
    for await (const item of readAhead(items())) {
      await setImmediate();
      await setImmediate();
      events.push(`use ${item}`);
    }
    expect(events).toEqual(
      [1, 2, 3, 4].flatMap((item) =>
        item === 1
          ? ['make 1', 'make 2', 'use 1']
          : item < 4
            ? [`make ${item + 1}`, `use ${item}`]
            : ['use 4'],
      ),
    );
  });

  it('passes errors on in order, and closes the source when its reader stops', async () => {
    let isClosed: boolean;
    async function* items(): AsyncGenerator<number> {
      try {
        yield 1;
        yield 2;
        await setImmediate();
        throw new Error('broken');
      } finally {
        isClosed = true;
      }
    }
    const read: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const item of readAhead(items())) read.push(item);
    };
    await expect(reading()).rejects.toThrow('broken');
    expect(read).toEqual([1, 2]);
    isClosed = false;
    for await (const item of readAhead(items())) if (item === 1) break;
    expect(isClosed).toBe(true);
  });
});
