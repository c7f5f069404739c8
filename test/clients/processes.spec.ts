import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { launch } from '../support/launch.js';
import { ROOT_TOKEN, startProduct, type Product } from '../support/processes.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

describe('separate API and workers, without Redis', () => specify(false));
describeWithRedis('separate API and workers, with Redis', () => specify(true));

function specify(withRedis: boolean): void {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  const products: Product[] = [];
  let first: ApiClient;
  let second: ApiClient;
  let worker: ApiClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    redis = withRedis ? await createTestRedis() : undefined;
    const env = {
      DATABASE_URL: database.url,
      ...(redis && { REDIS_URL: redis.url }),
      SECRETS_KEY: 'a key of the tests with 32 characters or more',
      LOG_LEVEL: 'warn',
    };
    // All at once, as an orchestrator does: one of them creates the first data.
    const kinds = ['api', 'api', 'worker'];
    products.push(...(await Promise.all(kinds.map((PROCESS) => startProduct({ env: { ...env, PROCESS } })))));
    [first, second, worker] = products.map(({ url }) => new ApiClient(url, ROOT_TOKEN)) as [
      ApiClient,
      ApiClient,
      ApiClient,
    ];
  });
  afterAll(async () => {
    for (const product of products) await product.dispose();
    await redis?.drop();
    await database.drop();
  });

  it('run jobs of an api process in the worker', async () => {
    const group = await first.post<{ id: number }>('/groups', { name: 'Gone', path: 'gone' });
    const project = await first.post<{ id: number }>('/projects', {
      name: 'In',
      namespace_id: group.body.id,
    });
    for (let number = 1; number <= 5; number += 1) {
      const sha = String(number).padStart(40, '0');
      const values = { environment: `env-${number}`, sha, ref: 'main', tag: false, status: 'success' };
      expect((await second.post(`/projects/${project.body.id}/deployments`, values)).status).toBe(201);
    }
    expect((await second.delete(`/groups/${group.body.id}`)).status).toBe(202);
    expect((await first.get(`/groups/${group.body.id}`)).status).toBe(404);
    await until(async () => (await jobsDone(worker, 'groups.delete')) === 1);
    expect(await jobsDone(first, 'groups.delete')).toBe(0);
    const alone = await first.post<{ id: number }>('/projects', { name: 'Alone' });
    expect((await first.delete(`/projects/${alone.body.id}`)).status).toBe(202);
    await until(async () => (await jobsDone(worker, 'projects.delete')) === 1);
  });

  it('serve only health and metrics in a worker', async () => {
    for (const path of ['/-/health', '/-/liveness', '/-/readiness'])
      expect([path, (await worker.get(path)).body]).toEqual([path, { status: 'ok' }]);
    const all = await worker.get<{ checks: Record<string, { status: string }> }>('/-/readiness?all=1');
    expect(all.status).toBe(200);
    for (const name of ['database', ...(redis ? ['redis'] : []), 'object_storage'])
      expect(all.body.checks[name]).toMatchObject({ status: 'up' });
    const metrics = await worker.get('/-/metrics');
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(metrics.text).toContain('outbox_pending');
    for (const path of [
      '/version',
      '/projects',
      '/users/1',
      '/api/v4/openapi.json',
      '/-/docs',
      '/oauth/token',
    ]) {
      const { status, body } = await worker.get(path);
      expect([path, status, body]).toEqual([path, 404, { error: '404 Not Found' }]);
    }
    expect((await worker.post('/projects', { name: 'x' })).status).toBe(404);
  });

  it('apply settings in every api process from the next request on', async () => {
    for (const visibility of ['internal', 'public', 'private', 'internal', 'private']) {
      await first.put('/application/settings', { default_project_visibility: visibility });
      const created = await second.post('/projects', { name: `set-${visibility}-${Date.now()}` });
      expect(created.body['visibility']).toBe(visibility);
    }
    await first.put('/application/settings', { license_plan: 'free' });
    expect((await second.get('/audit_events')).status).toBe(403);
    await first.put('/application/settings', { license_plan: 'ultimate' });
    expect((await second.get('/audit_events')).status).toBe(200);
  });

  // Without Redis, only processes of one primary count together (cluster.spec.ts).
  if (withRedis)
    it('apply a throttle across all api processes', async () => {
      const user = { name: 'Jane', username: 'jane', email: 'jane@example.com', force_random_password: true };
      const { body } = await first.post<{ id: number }>('/users', user);
      const token = await first.post<{ token: string }>(`/users/${body.id}/personal_access_tokens`, {
        name: 'x',
        scopes: ['api'],
      });
      await first.put('/application/settings', {
        throttle_authenticated_api_enabled: true,
        throttle_authenticated_api_requests_per_period: 6,
        throttle_authenticated_api_period_in_seconds: 3600,
      });
      const clients = products.slice(0, 2).map(({ url }) => new ApiClient(url, token.body.token));
      const statuses: number[] = [];
      for (let index = 0; index < 8; index += 1)
        statuses.push((await (clients[index % 2] as ApiClient).get('/version')).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
      const refused = await (clients[1] as ApiClient).get('/version');
      // Reported as requests per minute.
      expect(refused.headers.get('ratelimit-limit')).toBe('1');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await first.put('/application/settings', { throttle_authenticated_api_enabled: false });
      expect((await (clients[0] as ApiClient).get('/version')).status).toBe(200);
    });

  it('exit with 0 on a signal', async () => {
    const ends = await Promise.all(products.map((product) => product.stop()));
    expect(ends).toEqual([0, 0, 0]);
    for (const product of products) expect(product.output()).not.toMatch(/"level":("error"|"fatal"|[56]0)/);
  });
}

describe('the configuration of API and workers', () => {
  it.each(['api', 'worker'])('reports everything that %s lacks at once', async (kind) => {
    const start = launch('dist/app/main.js', { PROCESS: kind, PORT: 'high' });
    expect(await start.ended).toBe(1);
    const lines = start.output().trim().split('\n');
    expect(lines).toContain('The configuration is not valid:');
    for (const name of ['DATABASE_URL', 'SECRETS_KEY', 'PORT'])
      expect(lines.filter((line) => line.trim().startsWith(`${name} `))).toHaveLength(1);
  });
});

/** Successful runs of a job in the process that a client talks to. */
async function jobsDone(client: ApiClient, name: string): Promise<number> {
  const { text } = await client.get('/-/metrics');
  const line = text
    .split('\n')
    .find((one) => one.startsWith('jobs_total') && one.includes(`"${name}"`) && one.includes('"success"'));
  return Number(line?.split(' ').at(-1) ?? 0);
}
