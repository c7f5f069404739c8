import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../support/client.js';
import { WorkingCopy } from '../support/git.js';
import { freePort, ROOT_TOKEN, startProduct, type Product } from '../support/processes.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { TraceCollector, type CollectedSpan } from '../support/trace-collector.js';
import { until } from '../support/until.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

let collector: TraceCollector;
let database: TestDatabase;
let redis: RedisServer | undefined;
let product: Product;
let client: ApiClient;
let work: WorkingCopy;

beforeAll(async () => {
  collector = await TraceCollector.start();
  database = await createTestDatabase();
  redis = hasRedisServer ? await RedisServer.start() : undefined;
  product = await startProduct({
    readyWithin: 60_000,
    env: {
      DATABASE_URL: database.url,
      SECRETS_KEY: 'k'.repeat(40),
      ...(redis ? { REDIS_URL: redis.url } : {}),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'forge-of-tests',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      SLOW_REQUEST_SECONDS: '0.000001',
    },
  });
  client = new ApiClient(product.url, ROOT_TOKEN);
  work = await new WorkingCopy().init();
});
afterAll(async () => {
  await product.dispose();
  await redis?.kill();
  await database.drop();
  collector.close();
  work.remove();
});

it('a trace follows a push from the caller through git and the database to its jobs', async () => {
  const project = await client.post<{ path_with_namespace: string }>('/projects', { name: 'Traced' });
  await work.commit({ 'a.txt': 'one' });
  const url = `${product.url.replace('//', `//root:${ROOT_TOKEN}@`)}/${project.body.path_with_namespace}.git`;
  await work.git('-c', `http.extraHeader=traceparent: 00-${TRACE}-${CALLER}-01`, 'push', url, 'HEAD:main');
  const wanted = [/^POST .*git-receive-pack/, /^postgresql$/, /^git /, /^job \w+/];
  if (redis) wanted.push(/^redis /);
  const missing = (): RegExp[] =>
    wanted.filter((pattern) => ![...collector.namesOf(TRACE)].some((name) => pattern.test(name)));
  await until(() => missing().length === 0).catch(() => undefined);
  expect([missing(), missing().length === 0 || [...collector.namesOf(TRACE)]]).toEqual([[], true]);
  // A span is sent when it has ended: the spans within a job come before that of the job.
  const spans = (): readonly CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === TRACE);
  const orphans = (): readonly CollectedSpan[] => {
    const ids = new Set([CALLER, ...spans().map(({ spanId }) => spanId)]);
    return spans().filter(({ parentId }) => !ids.has(parentId));
  };
  await until(() => orphans().length === 0);
  const first = spans().filter(({ parentId }) => parentId === CALLER);
  expect(first.map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^POST .*git-receive-pack/)]),
  );
  // The log of requests is written in batches.
  await until(() => product.output().includes(`"trace_id":"${TRACE}"`));
});

it('slow requests are logged with their statements, but without values', async () => {
  await client.get('/projects?search=not-to-be-logged');
  const slow = (): string | undefined =>
    product
      .output()
      .split('\n')
      .find((line) => /"method":"GET".*"\/api\/v4\/projects"/.test(line) && line.endsWith('"Slow request"}'));
  await until(() => slow() !== undefined);
  const line = JSON.parse(slow() ?? '') as { statements: { sql: string; duration_s: number }[] };
  expect(line.statements[0]).toEqual({
    sql: expect.stringMatching(/^(?:select|with) /),
    duration_s: expect.any(Number),
  });
  expect(slow()).not.toContain('not-to-be-logged');
});

it('only administrators are shown how long a request took', async () => {
  const { headers } = await client.get('/user');
  expect(headers.get('server-timing')).toMatch(/^total;dur=[\d.]+, db;dur=[\d.]+;desc="\d+ statements"$/);
  const anonymous = await fetch(`${product.url}/api/v4/projects`);
  expect(anonymous.headers.get('server-timing')).toBeNull();
});

it('the service keeps serving, and stops, when the collector does not respond', async () => {
  const lonely = await startProduct({
    readyWithin: 60_000,
    env: {
      DATABASE_URL: database.url,
      SECRETS_KEY: 'k'.repeat(40),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      SERVER_TIMING: 'true',
    },
  });
  try {
    const answer = await fetch(`${lonely.url}/api/v4/projects`);
    expect([answer.status, answer.headers.has('server-timing')]).toEqual([200, true]);
    expect(await lonely.stop()).toBe(0);
  } finally {
    await lonely.dispose();
  }
});
