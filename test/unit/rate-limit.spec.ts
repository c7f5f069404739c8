import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { logger } from '#kernel/log/logger.js';
import { MemoryWindows } from '#kernel/rate-limit/memory-windows.js';
import { rateLimitHeaders } from '#kernel/rate-limit/rate-limit-headers.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { RedisWindows } from '#kernel/rate-limit/redis-windows.js';

async function expectWindow(limiter: RateLimiter): Promise<void> {
  const key = `192.0.2.${Math.random()}`;
  for (let observed = 1; observed <= 3; observed += 1) {
    expect(await limiter.hit('throttle', key, 3, 1)).toMatchObject({
      allowed: true,
      limit: 3,
      observed,
      remaining: 3 - observed,
    });
  }
  const refused = await limiter.hit('throttle', key, 3, 1);
  expect(refused).toMatchObject({ allowed: false, observed: 4, remaining: 0, retryAfter: 1 });
  expect(refused.resetAt - Date.now() / 1000).toBeLessThanOrEqual(2);
  expect((await limiter.hit('other', key, 3, 1)).observed).toBe(1);
  expect((await limiter.hit('throttle', 'x'.repeat(10_000), 3, 1)).allowed).toBe(true);
  expect(await limiter.hit('weighed', key, 3, 1, 2)).toMatchObject({ allowed: true, observed: 2 });
  expect(await limiter.hit('weighed', key, 3, 1, 2)).toMatchObject({ allowed: false, observed: 4 });
  await sleep(1050);
  expect((await limiter.hit('throttle', key, 3, 1)).observed).toBe(1);
}

describe('MemoryWindows', () => {
  it('count, refuse and reset', async () => expectWindow(new RateLimiter(new MemoryWindows())));

  it('are limited in number, and forget expired windows', async () => {
    let now = 0;
    const windows = new MemoryWindows(100, () => now);
    for (let index = 0; index < 1000; index += 1) await windows.hit(`k${index}`, 1000);
    expect(windows.size).toBe(100);
    expect([await windows.look('k899'), await windows.look('k900')]).toEqual([
      null,
      { count: 1, remainingMs: 1000 },
    ]);
    now = 20_000;
    await windows.hit('new', 1000);
    expect(windows.size).toBe(1);
    for (let index = 0; index < 150; index += 1) await windows.hit(`n${index}`, 1000);
    expect([windows.size, await windows.look('new'), await windows.look('n49')]).toEqual([100, null, null]);
    expect(await windows.look('n50')).toMatchObject({ count: 1 });
  });
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

// Requires the binary, which a machine with only Node and git lacks.
(hasRedis ? describe : describe.skip)('RedisWindows', () => {
  let server: ChildProcess;
  let port = 0;

  const start = async (): Promise<void> => {
    server = spawn('redis-server', [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      '/tmp',
    ]);
    const probe = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 50 });
    probe.on('error', () => undefined);
    await probe.ping();
    probe.disconnect();
  };

  beforeAll(async () => {
    const socket = createServer().listen(0, '127.0.0.1');
    await once(socket, 'listening');
    port = (socket.address() as AddressInfo).port;
    socket.close();
    await once(socket, 'close');
    await start();
  });

  afterAll(() => {
    server.kill('SIGKILL');
  });

  it('windows in Redis count, refuse and reset, for all processes together', async () => {
    const one = new RedisWindows(`redis://127.0.0.1:${port}`);
    const two = new RedisWindows(`redis://127.0.0.1:${port}`);
    await Promise.all([one.connect(), two.connect()]);
    await one.ping();
    await expectWindow(new RateLimiter(one));
    await one.hit('shared', 60_000);
    expect((await two.hit('shared', 60_000)).count).toBe(2);
    one.close();
    two.close();
  });

  it('windows in Redis fall back to memory if Redis fails, log it once, and reconnect', async () => {
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const info = jest.spyOn(logger, 'info').mockImplementation(() => undefined);
    const windows = new RedisWindows(`redis://127.0.0.1:${port}`);
    await windows.connect();
    await windows.hit('fallback', 60_000);
    server.kill('SIGKILL');
    await once(server, 'exit');
    const started = performance.now();
    for (let count = 1; count <= 50; count += 1) {
      expect((await windows.hit('fallback', 60_000)).count).toBe(count);
    }
    // Not one timeout for every hit.
    expect(performance.now() - started).toBeLessThan(5_000);
    await expect(windows.ping()).rejects.toThrow();
    expect(warn).toHaveBeenCalledTimes(1);
    await start();
    for (let attempt = 0; attempt < 100 && info.mock.calls.length === 0; attempt += 1) {
      await sleep(50);
      await windows.hit('fallback', 60_000);
    }
    expect(info).toHaveBeenCalledTimes(1);
    windows.close();
    warn.mockRestore();
    info.mockRestore();
  });
});

describe('rateLimitHeaders', () => {
  const result = { limit: 100, observed: 101, remaining: 0, resetAt: 1_700_000_000, retryAfter: 17 };

  it('scale the limit to a minute, rounded up', () => {
    expect(rateLimitHeaders('throttle_x', { ...result, allowed: false }, 3600)).toEqual({
      'RateLimit-Name': 'throttle_x',
      'RateLimit-Limit': '2',
      'RateLimit-Observed': '101',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '1700000000',
      'RateLimit-ResetTime': 'Tue, 14 Nov 2023 22:13:20 GMT',
      'Retry-After': '17',
    });
  });

  it('contain no Retry-After if the request is allowed', () => {
    expect(rateLimitHeaders('t', { ...result, allowed: true }, 60)).not.toHaveProperty('Retry-After');
  });
});
