import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describe } from '@jest/globals';
import { buildCrowd, type Crowd } from '../support/builders/crowd.js';
import { Installation, type Member } from '../support/installation.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const PROJECTS = 40;

// An api process that dies between the commit of a request and the handover of its job (REL-2).
(hasRedisServer ? describe : describe.skip)('an api process that is lost', () => {
  let redis: RedisServer;
  let installation: Installation;
  let api: Member;
  let crowd: Crowd;
  beforeAll(async () => {
    redis = await RedisServer.start();
    installation = await Installation.create({ redisUrl: redis.url });
    api = await installation.start('api');
    crowd = await buildCrowd(installation, api, 'crowd', PROJECTS);
  });
  afterAll(async () => {
    await installation.close();
    await redis.kill();
  });

  it('kill -9 before the job could be handed over: the job still runs', async () => {
    await redis.kill();
    const [id, ...others] = crowd.projectIds;
    expect((await api.client.delete(`/projects/${id}`)).status).toBe(202);
    await api.kill();
    expect([await installation.jobs(), await installation.jobs('pending')]).toEqual([1, 1]);
    await redis.start();
    await installation.start('worker');
    await until(async () => (await present([id ?? 0])) === 0);
    expect(await present(others)).toBe(PROJECTS - 1);
    await until(async () => (await installation.jobs()) === 0);
  });

  it('kill -9 during many deletions: each is done completely or not at all, and acknowledged ones are done', async () => {
    const next = await installation.start('api');
    const ids = crowd.projectIds.slice(1);
    const acknowledged: number[] = [];
    const requests = ids.map(async (id) => {
      const answer = await next.client.delete(`/projects/${id}`).catch(() => undefined);
      if (answer?.status === 202) acknowledged.push(id);
      if (acknowledged.length === 5) await next.kill();
    });
    await Promise.all(requests);
    expect(acknowledged.length).toBeGreaterThanOrEqual(5);
    await until(async () => (await installation.jobs()) === 0, 60_000);
    expect(await present(acknowledged)).toBe(0);
    expect(await installation.count('select count(*) from projects where pending_delete')).toBe(0);
    const stray = `select count(*) from routes where source_type = 'Project'
      and not exists (select from projects where id = source_id)`;
    expect(await installation.count(stray)).toBe(0);
  });

  const present = (ids: readonly number[]): Promise<number> =>
    installation.count('select count(*) from projects where id = any($1)', [ids]);
});
