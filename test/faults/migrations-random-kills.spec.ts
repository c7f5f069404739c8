import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../support/installation.js';
import {
  addAda,
  FarEnd,
  migrate,
  startFilledSource,
  type FilledSource,
} from '../support/migration/far-end.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const WORKERS = 3;
const EVERY_MS = 300;
const KILLS = 10;

/** A job lost with more than three workers fails. Here workers are killed more often than hosts are lost. */
const FORGIVE = `update background_jobs set stalls = 0 where stalls > 0 and name like 'bulk-imports.%'`;

describeWithRedis('workers that are killed one after the other at any moment', () => {
  let source: FilledSource;
  let redis: TestRedis | undefined;
  let farEnd: FarEnd;
  let api: Member;
  beforeAll(async () => {
    redis = await createTestRedis();
    farEnd = await FarEnd.create({ redisUrl: redis?.url });
    [source, api] = await Promise.all([startFilledSource(3, 400), farEnd.start('api')]);
    await addAda(api.client);
  });
  afterAll(async () => {
    await farEnd.close();
    await redis?.drop();
    await source.instance.close();
  });

  it('everything is imported once', async () => {
    let workers = await Promise.all(Array.from({ length: WORKERS }, () => farEnd.start('worker')));
    const id = await migrate(api.client, source.instance.url, source.token);
    let killed = 0;
    while (killed < KILLS && !(await farEnd.hasEnded(id))) {
      const [next, ...others] = workers;
      if (!next) {
        workers = await Promise.all(Array.from({ length: WORKERS }, () => farEnd.start('worker')));
        continue;
      }
      await sleep(EVERY_MS * 2 * Math.random());
      await next.kill();
      killed += 1;
      workers = others;
      // The jobs of living workers are taken over, too: they notice at their next write.
      await farEnd.giveBack();
      await farEnd.installation.sql(FORGIVE);
    }
    if (workers.length === 0) await farEnd.start('worker');
    await until(() => farEnd.hasEnded(id), 90_000);
    expect(killed).toBeGreaterThan(3);
    expect(await farEnd.failures()).toEqual([]);
    expect(await farEnd.status(id)).toBe('finished');
    expect(await farEnd.tally()).toEqual(source.tally);
  });
});
