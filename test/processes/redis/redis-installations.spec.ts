import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Installation } from '../../support/installation.js';
import { launch, type Launched } from '../../support/launch.js';
import { hasRedisServer, RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

(hasRedisServer ? it : it.skip)('a process does not start on the Redis of another installation', async () => {
  const redis = await RedisServer.start();
  const first = await Installation.create({ redisUrl: redis.url });
  const second = await Installation.create({ redisUrl: `${redis.url}/1` });
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-redis-of-another-'));
  let begun: Launched | undefined;
  try {
    await first.start('all');
    begun = launch('dist/app/main.js', {
      ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder },
      ...{ DATABASE_URL: second.databaseUrl, REDIS_URL: redis.url },
      SECRETS_KEY: 'a key of the tests with 32 characters or more',
    });
    const { output, problems, ended } = begun;
    await until(() => output().includes('is ready on') || problems().endsWith('\n'));
    expect(output()).not.toContain('is ready on');
    expect(await ended).toBe(1);
    expect(problems()).toMatch(
      /^REDIS_URL leads to a Redis that another installation uses .*: give this one .* at the end of REDIS_URL[^\n]*\n$/,
    );
    await second.start('worker');
    await first.start('api');
  } finally {
    begun?.signal('SIGKILL');
    await begun?.ended;
    await second.close();
    await first.close();
    await redis.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
