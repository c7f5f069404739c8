import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  addAda,
  FarEnd,
  migrate,
  startFilledSource,
  type FilledSource,
} from '../support/migration/far-end.js';
import { HeldMoments } from '../support/migration/held-moments.js';
import { killEverywhere } from '../support/migration/kill-everywhere.js';
import { WRITING } from '../support/migration/relations.js';
import { createTestRedis, describeWithRedis } from '../support/redis.js';

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

describeWithRedis('kill -9 of the worker during each relation (queues in Redis)', () => {
  it('everything is imported once', async () => {
    const redis = await createTestRedis();
    const farEnd = await FarEnd.create({ redisUrl: redis?.url });
    const moments = await HeldMoments.hold(farEnd.installation, WRITING, 'amid');
    try {
      const start = () => farEnd.start('worker');
      const [api, first] = await Promise.all([farEnd.start('api'), start()]);
      await addAda(api.client);
      const importId = await migrate(api.client, source.instance.url, source.token);
      expect(await killEverywhere(farEnd, importId, moments, { first, start })).toBeGreaterThan(8);
      await expectWhole(farEnd, importId, moments);
    } finally {
      await moments.close();
      await farEnd.close();
      await redis?.drop();
    }
  });
});
