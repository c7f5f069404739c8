import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildCrowd } from '../support/builders/crowd.js';
import { counted, inParallel, Installation, type Member } from '../support/installation.js';
import { RedisSentinels, SENTINEL_SECRETS } from '../support/redis-sentinels.js';
import { hasRedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const PROJECTS = 120;

(hasRedisServer ? describe : describe.skip)('a failover of Sentinels', () => {
  let redis: RedisSentinels;
  let installation: Installation;
  let members: [api: Member, worker: Member];
  let projectIds: readonly number[];
  beforeEach(async () => {
    redis = await RedisSentinels.create();
    installation = await Installation.create({ redisUrl: redis.url });
    await redis.startSentinels();
    members = [await installation.start('api'), await installation.start('worker')];
    ({ projectIds } = await buildCrowd(installation, members[0], 'crowd', PROJECTS));
    await members[0].client.put('/application/settings', {
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 100_000,
      throttle_authenticated_api_period_in_seconds: 3_600,
    });
  });
  afterEach(async () => {
    await installation.close();
    await redis.close();
  });

  /** Enqueues jobs while `work` runs, and for some time after it. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const working = work().finally(() => over.abort());
    const [{ client }] = members;
    let asked = 0;
    const ask = async (count: number): Promise<void> => {
      const ids = projectIds.slice(asked, asked + count);
      asked += ids.length;
      const answers = await inParallel(ids.length, (number) => client.delete(`/projects/${ids[number - 1]}`));
      expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
    };
    while (!over.signal.aborted) {
      await ask(asked < PROJECTS - 20 ? 2 : 0);
      await client.get('/version');
    }
    await working;
    await ask(PROJECTS);
    await until(async () => (await installation.jobs()) === 0, 60_000);
    expect(await counted([members[1]], 'jobs_total', '"projects.delete"', '"success"')).toBe(PROJECTS);
    for (const member of members) {
      await until(async () => (await member.client.get('/-/readiness?all=1')).status === 200);
      expect(member.output()).not.toMatch(SENTINEL_SECRETS);
    }
    const names = ['relay', 'worker', 'events', 'limits', 'default'].map((name) => `forgeplane-${name}`);
    await until(async () => {
      const connected = await clientsOf(await redis.master());
      return names.every((name) => connected.includes(name));
    });
  }

  it('from a master that is killed loses no job', async () => {
    const former = await redis.master();
    await underLoad(async () => {
      await former.kill();
      await until(async () => (await redis.master()) !== former);
    });
  });

  it('on request, after which the former master is a replica, loses no job', async () => {
    const former = await redis.master();
    await underLoad(async () => {
      await redis.failOver();
      await until(async () => (await redis.master()) !== former);
    });
    expect(await clientsOf(former)).toEqual([]);
  });

  it('from a master that hangs, and returns later, loses no job', async () => {
    const former = await redis.master();
    await underLoad(async () => {
      former.freeze();
      await until(async () => (await redis.master()) !== former);
    });
    former.thaw();
    // The Sentinels take some time until they detect it.
    await until(async () => (await roleOf(former)) === 'slave', 60_000);
    await until(async () => (await clientsOf(former)).length === 0);
  });

  const roleOf = (server: Awaited<ReturnType<RedisSentinels['master']>>): Promise<unknown> =>
    redis.within(server, async (one) => (await one.role())[0]);

  /** Names of the connections of the product to a server. */
  const clientsOf = (server: Awaited<ReturnType<RedisSentinels['master']>>): Promise<string[]> =>
    redis.within(server, async (one) =>
      [...String(await one.client('LIST')).matchAll(/ name=(forgeplane-\S+)/g)].map(([, name]) => name ?? ''),
    );
});
