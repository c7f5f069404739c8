import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startRedisProxy, type RedisProxy } from '../../support/redis-proxy.js';
import { QueueSuite } from '../../support/queue-suite.js';
import { describeWithRedis } from '../../support/redis.js';

/** Names of the connections that carry jobs of the queue `test`. */
const CONNECTIONS = ['forgeplane-relay', 'forgeplane-worker', 'forgeplane-events', 'forgeplane-test'];

describeWithRedis('jobs over connections to Redis', () => {
  const suite = new QueueSuite(true);
  let proxy: RedisProxy;
  beforeEach(async () => {
    proxy = await startRedisProxy(suite.setup.redisUrl ?? '');
    await suite.replaceBy(await suite.start({ redisUrl: proxy.url }));
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
});
