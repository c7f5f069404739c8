import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../../../support/redis.js';
import { addUser } from '../../../support/builders/instance.js';

const HEADERS = ['Name', 'Limit', 'Observed', 'Remaining', 'Reset', 'ResetTime'];

const headersOf = (answer: Answer): Record<string, string | null> =>
  Object.fromEntries(HEADERS.map((name) => [name, answer.headers.get(`RateLimit-${name}`)]));

function specify(start: () => Promise<TestApi>): void {
  let api: TestApi;
  beforeAll(async () => {
    api = await start();
  });
  afterAll(() => api.close());

  // As another process would: the requests of the administrator are limited too.
  const put = (values: object): Promise<unknown> =>
    api.sql('update application_settings set values = values || $1::jsonb, version = version + 1', [
      JSON.stringify(values),
    ]);
  const throttle = (kind: string, limit: number, period = 600): Promise<unknown> =>
    put({
      [`throttle_${kind}_enabled`]: true,
      [`throttle_${kind}_requests_per_period`]: limit,
      [`throttle_${kind}_period_in_seconds`]: period,
    });
  afterEach(() =>
    put({
      throttle_unauthenticated_api_enabled: false,
      throttle_authenticated_api_enabled: false,
      rate_limiting_response_text: null,
    }),
  );

  it('are off by default', async () => {
    expect(headersOf(await api.anonymous.get('/version'))).toEqual(
      Object.fromEntries(HEADERS.map((name) => [name, null])),
    );
  });

  it('hold back anonymous callers, including those who guess tokens', async () => {
    await throttle('unauthenticated_api', 3);
    const first = await api.anonymous.get('/version');
    expect(first.status).toBe(401);
    expect(headersOf(first)).toEqual({
      Name: 'throttle_unauthenticated_api',
      Limit: '1',
      Observed: '1',
      Remaining: '2',
      Reset: expect.stringMatching(/^\d{10}$/),
      ResetTime: expect.stringMatching(/ GMT$/),
    });
    expect(first.headers.get('retry-after')).toBeNull();
    expect((await api.as('glpat-guessed').get('/version')).status).toBe(401);
    expect((await api.anonymous.get('/version')).status).toBe(401);
    const refused = await api.as('glpat-guessed-too').get('/version');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('application/json');
    expect(refused.text).toBe('{"message":"429 Too Many Requests"}');
    expect(headersOf(refused)).toMatchObject({ Observed: '4', Remaining: '0' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect((await api.root.get('/version')).status).toBe(200);
  });

  it('limit each user separately, whatever tokens they use', async () => {
    const [mona, lisa] = await Promise.all([addUser(api, 'mona'), addUser(api, 'lisa')]);
    await throttle('authenticated_api', 2, 60);
    const answers = await Promise.all([1, 2, 3].map(() => api.as(mona.token).get('/version')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const [last] = answers.filter(({ status }) => status === 429);
    expect(headersOf(last as Answer)).toMatchObject({
      Name: 'throttle_authenticated_api',
      Limit: '2',
      Observed: '3',
    });
    const other = await api.as(lisa.token).get('/version');
    expect(other.status).toBe(200);
    expect(headersOf(other)).toMatchObject({ Remaining: '1' });
    expect((await api.anonymous.get('/version')).headers.get('ratelimit-name')).toBeNull();
  });

  it('follow the settings', async () => {
    const nina = await addUser(api, 'nina');
    await put({ rate_limiting_response_text: 'Come back later' });
    await throttle('authenticated_api', 1);
    await api.as(nina.token).get('/version');
    expect((await api.as(nina.token).get('/version')).body).toEqual({ message: 'Come back later' });
    await put({ throttle_authenticated_api_enabled: false });
    expect((await api.as(nina.token).get('/version')).status).toBe(200);
  });

  it('admit callers again when the period is over', async () => {
    const otto = await addUser(api, 'otto');
    await throttle('authenticated_api', 1, 1);
    const statuses: number[] = [];
    for (let round = 0; round < 2; round += 1)
      statuses.push((await api.as(otto.token).get('/version')).status);
    expect(statuses).toEqual([200, 429]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await api.as(otto.token).get('/version')).status).toBe(200);
  });
}

describe('throttles in memory', () => specify(() => startApi()));

describeWithRedis('throttles on Redis', () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await createTestRedis();
  });
  afterAll(() => redis?.drop());
  specify(() => startApi({ REDIS_URL: redis?.url ?? '' }));
});
