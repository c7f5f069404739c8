import { afterEach, describe, expect, it } from '@jest/globals';
import { hasHaproxy, Haproxy } from '../support/haproxy.js';
import { Installation, type Member } from '../support/installation.js';
import { freePort } from '../support/processes.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { SteadyLoad } from '../support/steady-load.js';
import { until } from '../support/until.js';

const PER_SECOND = 50;

// Two api processes behind a balancer and two workers, replaced one after the other, as in an update (REL-19).
(hasHaproxy ? describe : describe.skip)('rolling restarts', () => {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one();
  });

  it.each([
    ['ten without Redis', false, 10],
    ['four with Redis', true, 4],
  ])('lose no request: %s', async (_, withRedis, restarts) => {
    if (withRedis && !hasRedisServer) throw new Error('This test needs a redis-server');
    const redis = withRedis ? await RedisServer.start() : undefined;
    if (redis) undo.push(() => redis.kill());
    const installation = await Installation.create({ redisUrl: redis?.url });
    undo.push(() => installation.close());
    const ports = [await freePort(), await freePort()];
    const apis: Member[] = [];
    const workers: Member[] = [];
    for (const port of ports) {
      apis.push(await installation.start('api', { PORT: String(port) }));
      workers.push(await installation.start('worker'));
    }
    const proxy = await Haproxy.start(ports);
    undo.push(() => proxy.stop());
    const [first] = apis as [Member, Member];
    // With Redis the processes count together, and ten requests per second exceed the limit of one user.
    await first.client.put('/application/settings', { issues_create_limit: 0 });
    const project = await first.client.post<{ id: number }>('/projects', { name: 'Rolling' });
    const path = `/api/v4/projects/${project.body.id}`;

    const load = new SteadyLoad(proxy.url, path, PER_SECOND);
    const codes: (number | string)[] = [];
    for (let round = 0; round < restarts; round += 1) {
      for (const index of [0, 1]) {
        codes.push(await (apis[index] as Member).stop(), await (workers[index] as Member).stop());
        [apis[index], workers[index]] = await Promise.all([
          installation.start('api', { PORT: String(ports[index]) }),
          installation.start('worker'),
        ]);
        await until(async () => (await (apis[index] as Member).client.get('/-/readiness')).status === 200);
        await until(() => proxy.isUp(ports[index] as number));
      }
    }
    const outcomes = await load.end();
    expect([...new Set(outcomes)].sort()).toEqual(['GET 200', 'POST 201', 'PUT 200']);
    expect(outcomes.length).toBeGreaterThan(restarts * 2 * 5 * PER_SECOND * 0.5);
    expect([...new Set(codes)]).toEqual([0]);
    const created = outcomes.filter((outcome) => outcome === 'POST 201').length;
    expect(await installation.count('select count(*) from issues')).toBe(created);
    await until(async () => (await installation.jobs()) === 0, 60_000);
  });
});
