import { expect, it } from '@jest/globals';
import { freePort } from '../../../test/support/processes.js';
import { hasRedisServer, RedisServer } from '../../../test/support/redis-server.js';
import { until } from '../../../test/support/until.js';
import { openRedis } from './open-redis.js';

(hasRedisServer ? it : it.skip)(
  'a connection to a master that has become a replica is made anew',
  async () => {
    const server = await RedisServer.start();
    const redis = openRedis(server.url, { retryStrategy: () => 50 });
    const other = openRedis(server.url, { retryStrategy: () => 50 });
    try {
      const first = await redis.client('ID');
      await expect(redis.call('INCR')).rejects.toThrow('wrong number of arguments');
      expect(await redis.client('ID')).toBe(first);
      await other.replicaof('127.0.0.1', await freePort());
      await expect(redis.set('a', 1)).rejects.toThrow('READONLY');
      await until(async () => (await redis.client('ID')) !== first);
      await other.replicaof('NO', 'ONE');
      await until(() => redis.set('a', 1).then(() => true));
    } finally {
      for (const one of [redis, other]) one.disconnect();
      await server.kill();
    }
  },
);
