import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { hasRedisServer, RedisServer } from '../../../test/support/redis-server.js';
import { until } from '../../../test/support/until.js';
import { claimRedis } from './redis-claim.js';

const KEY = 'forgeplane:installation';
const RENEW_MS = 100;

(hasRedisServer ? describe : describe.skip)('the claim of an installation on its Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  const releases: (() => void)[] = [];
  beforeEach(async () => {
    server = await RedisServer.start();
    redis = new Redis(server.url, { retryStrategy: () => 50 });
    redis.on('error', () => undefined);
  });
  afterEach(async () => {
    for (const release of releases.splice(0)) release();
    redis.disconnect();
    await server.kill();
  });
  const claim = async (mark: string): Promise<void> => {
    releases.push(await claimRedis(server.url, mark, RENEW_MS));
  };

  it('is shared by processes of one installation, and keeps others out', async () => {
    await claim('one');
    await claim('one');
    await expect(claim('two')).rejects.toThrow(/^REDIS_URL leads to a Redis that another installation uses/);
    expect(await redis.get(KEY)).toBe('one');
  });

  it('is renewed while a process lives, and then ends', async () => {
    await claim('one');
    await redis.pexpire(KEY, 5_000);
    await until(async () => (await redis.pttl(KEY)) > 30_000);
    releases.pop()?.();
    await redis.pexpire(KEY, 3 * RENEW_MS);
    await until(async () => (await redis.get(KEY)) === null);
    await claim('two');
    expect(await redis.get(KEY)).toBe('two');
  });

  it('returns to a Redis that was lost and is empty, or was out of reach at the start', async () => {
    await claim('one');
    await server.kill();
    await claim('one');
    await server.start();
    await until(async () => (await redis.get(KEY)) === 'one');
  });

  it('is kept, and keeps others out, while Redis is full', async () => {
    await claim('one');
    await redis.config('SET', 'maxmemory', '1');
    await redis.pexpire(KEY, 5_000);
    await until(async () => (await redis.pttl(KEY)) > 30_000);
    await expect(claim('two')).rejects.toThrow(/^REDIS_URL leads to a Redis that another installation uses/);
  });

  it.each([
    ['is full', ['config', 'set', 'maxmemory', '1']],
    ['is a replica', ['replicaof', '127.0.0.1', '1']],
    ['gives this user no right to the key', ['acl', 'setuser', 'default', 'resetkeys', '~forgeplane:jobs*']],
  ])('is not needed for a start on a Redis that %s', async (_what, [command = '', ...words]) => {
    await redis.call(command, ...words);
    await claim('one');
  });

  it('is not taken from another installation that came meanwhile', async () => {
    await claim('one');
    await redis.set(KEY, 'two');
    const asked = async (): Promise<number> =>
      Number(/cmdstat_get:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1]);
    const before = await asked();
    await until(async () => (await asked()) >= before + 2);
    expect(await redis.get(KEY)).toBe('two');
  });
});
