import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addAda,
  FarEnd,
  migrate,
  startFilledSource,
  type FilledSource,
} from '../support/migration/far-end.js';
import { HeldMoments } from '../support/migration/held-moments.js';
import { killEverywhere } from '../support/migration/kill-everywhere.js';
import { ENDING } from '../support/migration/relations.js';

let source: FilledSource;
beforeAll(async () => {
  source = await startFilledSource();
});
afterAll(() => source.instance.close());

const expectWhole = async (farEnd: FarEnd, importId: number, moments: HeldMoments): Promise<void> => {
  expect(await farEnd.failures()).toEqual([]);
  expect(await farEnd.status(importId)).toBe('finished');
  expect(moments.left).toEqual([]);
  expect(await farEnd.tally()).toEqual(source.tally);
};

describe('kill -9 of the only process at the end of each relation (embedded queue)', () => {
  it('everything is imported once', async () => {
    const farEnd = await FarEnd.create();
    const moments = await HeldMoments.hold(farEnd.installation, ENDING, 'end');
    try {
      const start = () => farEnd.start('all');
      const first = await start();
      await addAda(first.client);
      const importId = await migrate(first.client, source.instance.url, source.token);
      expect(await killEverywhere(farEnd, importId, moments, { first, start })).toBeGreaterThan(8);
      await expectWhole(farEnd, importId, moments);
    } finally {
      await moments.close();
      await farEnd.close();
    }
  });
});
