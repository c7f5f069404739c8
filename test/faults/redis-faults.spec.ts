import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCrowd } from '../support/builders/crowd.js';
import { counted, inParallel, Installation, type Member } from '../support/installation.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { until } from '../support/until.js';

const JOBS = 1_000;
const DOWN_MS = 20_000;

(hasRedisServer ? describe : describe.skip)('faults of Redis', () => {
  let redis: RedisServer;
  let installation: Installation;
  let api: Member;
  beforeEach(async () => {
    redis = await RedisServer.start();
    installation = await Installation.create({ redisUrl: redis.url });
    api = await installation.start('api');
  });
  afterEach(async () => {
    await installation.close();
    await redis.kill();
  });

  const jobs = (): Promise<number> => installation.jobs();

  it('Redis loses 1,000 queued jobs, then is flushed while they run: each runs once', async () => {
    const { projectIds } = await buildCrowd(installation, api, 'crowd', 1);
    const ids = await copyProject(projectIds[0] ?? 0, JOBS);
    const answers = await inParallel(JOBS, (number) => api.client.delete(`/projects/${ids[number - 1]}`), 16);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await until(async () => (await installation.jobs('handed')) === JOBS);
    await redis.kill();
    await redis.start();
    const worker = await installation.start('worker');
    await until(async () => (await jobs()) < JOBS / 2, 60_000);
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    await until(async () => (await jobs()) === 0, 90_000);
    expect(await installation.count('select count(*) from projects where id = any($1)', [ids])).toBe(0);
    expect(await counted([worker], 'jobs_total', '"projects.delete"', '"success"')).toBe(JOBS);
    expect(await counted([worker], 'jobs_total', '"projects.delete"')).toBe(JOBS);
  });

  it('Redis is down for 20 s: reads and new jobs continue, every process stays ready and reports it, the worker resumes', async () => {
    const worker = await installation.start('worker');
    const { projectIds } = await buildCrowd(installation, api, 'crowd', 3);
    await redis.kill();
    const end = Date.now() + DOWN_MS;
    expect((await api.client.delete(`/projects/${projectIds[0]}`)).status).toBe(202);
    const slowest = { read: 0, write: 0 };
    for (let round = 0; Date.now() < end; round += 1) {
      const begun = performance.now();
      const read = await api.client.get('/projects');
      const middle = performance.now();
      const write = await api.client.post('/projects', { name: `while-down-${round}` });
      expect([read.status, write.status]).toEqual([200, 201]);
      slowest.read = Math.max(slowest.read, middle - begun);
      slowest.write = Math.max(slowest.write, performance.now() - middle);
      await sleep(200);
    }
    // A timeout for every call would take longer than this.
    expect(slowest.read).toBeLessThan(5_000);
    expect(slowest.write).toBeLessThan(5_000);
    for (const member of [api, worker]) {
      const ready = await member.client.get('/-/readiness?all=1');
      expect([ready.status, ready.body]).toMatchObject([
        503,
        { checks: { redis: { status: 'down' }, database: { status: 'up' } } },
      ]);
      // Requests and jobs go on: balancers must not take every process out of service at once.
      expect((await member.client.get('/-/readiness')).status).toBe(200);
      expect((await member.client.get('/-/health')).status).toBe(200);
    }
    expect(await jobs()).toBe(1);
    expect((await api.client.delete(`/projects/${projectIds[1]}`)).status).toBe(202);
    await redis.start();
    await until(async () => (await jobs()) === 0, 15_000);
    await until(async () => (await api.client.get('/-/readiness?all=1')).status === 200, 15_000);
    await until(async () => (await worker.client.get('/-/readiness?all=1')).status === 200, 15_000);
    expect((await api.client.delete(`/projects/${projectIds[2]}`)).status).toBe(202);
    await until(async () => (await jobs()) === 0, 15_000);
    expect(await counted([worker], 'jobs_total', '"projects.delete"', '"success"')).toBe(3);
  });

  it('rate limits still work while Redis is down', async () => {
    await api.client.put('/application/settings', {
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 1_000,
      throttle_authenticated_api_period_in_seconds: 60,
    });
    expect((await api.client.get('/version')).headers.get('ratelimit-limit')).toBe('1000');
    await redis.kill();
    const statuses = await inParallel(20, async () => (await api.client.get('/version')).status, 4);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await api.stop()).toBe(0);
  });

  async function copyProject(id: number, copies: number): Promise<number[]> {
    const rows = await installation.sql<{ id: number }>(
      `insert into projects (namespace_id, creator_id, name, path, full_path, full_name)
       select namespace_id, creator_id, name || n, path || n, full_path || n, full_name || n
       from projects, generate_series(1001, 1000 + $2::int) n where id = $1 returning id`,
      [id, copies],
    );
    return rows.map(({ id: copied }) => copied);
  }
});
