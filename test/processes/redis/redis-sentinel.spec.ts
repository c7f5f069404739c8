import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRedis } from '#kernel/start/redis.js';
import { ApiClient } from '../../support/client.js';
import { Installation } from '../../support/installation.js';
import { launch, untilAnnounced } from '../../support/launch.js';
import { freePort, ROOT_TOKEN } from '../../support/processes.js';
import { RedisSentinels, SENTINEL_SECRETS } from '../../support/redis-sentinels.js';
import { hasRedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

(hasRedisServer ? describe : describe.skip)('Redis behind Sentinels', () => {
  let redis: RedisSentinels;
  let installation: Installation;
  beforeAll(async () => {
    redis = await RedisSentinels.create();
    installation = await Installation.create({ redisUrl: redis.url });
  });
  afterAll(async () => {
    await installation.close();
    await redis.close();
  });

  it('is awaited at the start, and carries jobs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-sentinel-start-'));
    const port = await freePort();
    const begun = launch('dist/app/main.js', {
      ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder },
      ...{ DATABASE_URL: installation.databaseUrl, REDIS_URL: redis.url },
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
      SECRETS_KEY: 'a key of the tests with 32 characters or more',
      START_TIMEOUT_SECONDS: '180',
    });
    try {
      await until(() => begun.output().includes('Waiting for Redis (REDIS_URL) for '));
      expect(begun.output()).toContain('failed to connect to sentinel 127.0.0.1:');
      await redis.startSentinels();
      await untilAnnounced(begun);
      const client = new ApiClient(`http://127.0.0.1:${port}`, ROOT_TOKEN);
      const { body } = await client.post<{ id: number }>('/projects', { name: 'gone' });
      expect((await client.delete(`/projects/${body.id}`)).status).toBe(202);
      await until(async () => (await installation.jobs()) === 0);
      const queued = await redis.within(redis.servers[0], (one) => one.get('forgeplane:default:id'));
      expect(Number(queued)).toBeGreaterThan(0);
      begun.signal('SIGTERM');
      expect(await begun.ended).toBe(0);
    } finally {
      begun.signal('SIGKILL');
      await begun.ended;
      rmSync(folder, { recursive: true, force: true });
    }
    expect(begun.output()).not.toMatch(SENTINEL_SECRETS);
  });

  it.each([
    ['knows no master', { name: 'other' }, /\(sentinel 127\.0\.0\.1:\d+ knows no master of that name;/],
    ['is not told its password', { sentinelPassword: 'x' }, /\(failed to connect to sentinel .* WRONGPASS/],
    ['leads to a Redis with another password', { password: 'x' }, /\(WRONGPASS/],
  ])('that %s ends the start with the reason', async (_, wrong, reason) => {
    await expect(askRedis(redis.urlWith(wrong))).rejects.toThrow(reason);
  });
});
