import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyedJob } from '../../support/queue-app.js';
import { startRedisProxy, type RedisProxy } from '../../support/redis-proxy.js';
import { gate, QueueSuite } from '../../support/queue-suite.js';
import { describeWithRedis } from '../../support/redis.js';
import { until } from '../../support/until.js';

/** Names of the connections that carry jobs of the queue `test`. */
const CONNECTIONS = ['forgeplane-relay', 'forgeplane-worker', 'forgeplane-events', 'forgeplane-test'];

describeWithRedis('jobs over connections to Redis', () => {
  const suite = new QueueSuite(true);
  let proxy: RedisProxy;
  beforeEach(async () => {
    proxy = await startRedisProxy(suite.setup.redisUrl ?? '');
    await suite.replaceBy(
      await suite.start({ redisUrl: proxy.url, options: { slots: { 'test-keyed': 1 } } }),
    );
    await suite.enqueue('before');
    await suite.done('before');
  });
  afterEach(() => proxy.close());

  it.each([...CONNECTIONS.map((name) => [name]), CONNECTIONS])(
    'flow on after silence of %s',
    async (...names) => {
      for (const name of names) expect(proxy.silence(name)).toBeGreaterThan(0);
      // A single one: if more wait than there are slots, the flow check notices.
      await suite.enqueue('after');
      await suite.done('after');
      expect(await suite.effects('after')).toBe(1);
    },
  );

  it('get no additional slots by new connections, and are run by a process that has some', async () => {
    const { opened, open } = gate();
    const redis = new Redis(suite.setup.redisUrl ?? '');
    const waiting = (): Promise<number> => redis.llen('forgeplane:test-keyed:wait');
    try {
      suite.behave('held', (context, label) => opened.then(() => suite.record(context, label)));
      await suite.enqueue('held', {}, KeyedJob);
      await suite.state('held', 'running');
      let hasStarted = false;
      suite.behave('next', (context, label) => {
        hasStarted = true;
        return suite.record(context, label);
      });
      await suite.enqueue('next', {}, KeyedJob);
      await until(async () => (await waiting()) === 1);
      proxy.cut();
      await until(async () => (await waiting()) === 0);
      await sleep(1_000);
      expect(hasStarted).toBe(false);
      await suite.start({ redisUrl: proxy.url, process: 'worker' });
      await suite.done('next');
      await suite.state('held', 'running');
      expect(hasStarted).toBe(false);
      open();
      await suite.done('held');
      expect(await suite.effects('held')).toBe(1);
    } finally {
      redis.disconnect();
    }
  });
});
