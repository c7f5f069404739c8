import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedisServer, RedisServer } from '../../../test/support/redis-server.js';
import { until } from '../../../test/support/until.js';
import { endSilence } from './end-silence.js';

const LIMIT_MS = 800;
const BLOCK_SECONDS = 0.3;

(hasRedisServer ? describe : describe.skip)('a connection to Redis with a limit for silence', () => {
  let server: RedisServer;
  let redis: Redis;
  let closed: number;
  beforeEach(async () => {
    server = await RedisServer.start();
    redis = new Redis(server.url, { retryStrategy: () => 50 });
    redis.on('error', () => undefined);
    closed = 0;
    redis.on('close', () => (closed += 1));
    endSilence(redis, LIMIT_MS);
    await redis.ping();
  });
  afterEach(async () => {
    redis.disconnect();
    await server.kill();
  });

  const block = (): Promise<unknown> => redis.blpop('empty', BLOCK_SECONDS);

  it('is opened anew if its server hangs, and sends again what it owes', async () => {
    server.freeze();
    const answer = redis.ping();
    await until(() => closed > 0);
    server.thaw();
    expect(await answer).toBe('PONG');
  });

  it('is opened anew if its server hangs while the connection ends', async () => {
    server.freeze();
    redis.disconnect(true);
    await until(() => closed > 0);
    server.thaw();
    expect(await redis.ping()).toBe('PONG');
  });

  it('stays open while nothing is owed', async () => {
    await sleep(3 * LIMIT_MS);
    await redis.subscribe('channel');
    await sleep(3 * LIMIT_MS);
    expect(closed).toBe(0);
  });

  it('stays open while commands block for less than the limit', async () => {
    await Promise.all(Array.from({ length: 8 }, block));
    expect(closed).toBe(0);
  });

  it('stays open if the process was held up while the response arrived', async () => {
    const blocked = block();
    await sleep(50);
    for (const end = performance.now() + 2 * LIMIT_MS; performance.now() < end;);
    await blocked;
    expect(closed).toBe(0);
  });

  it('is not closed for the silence of the one before it', async () => {
    const killer = new Redis(server.url);
    void redis.blpop('empty', BLOCK_SECONDS).catch(() => undefined);
    await killer.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    killer.disconnect();
    await until(() => redis.ping().then(() => true));
    for (let index = 0; index < 8; index += 1) await block();
    expect(closed).toBe(1);
  });
});
