import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('runners are not held back because of anonymous callers at their address', async () => {
  const { body: runner } = await api.root.post<{ token: string }>('/user/runners', {
    runner_type: 'instance_type',
  });
  const ask = (token: string): Promise<Answer> => api.anonymous.post('/jobs/request', { token, info: {} });
  await api.root.put('/application/settings', {
    throttle_unauthenticated_api_enabled: true,
    throttle_unauthenticated_api_requests_per_period: 2,
    throttle_unauthenticated_api_period_in_seconds: 600,
  });
  for (let round = 0; round < 3; round += 1) expect((await ask(runner.token)).status).toBe(204);
  const others = [await ask('glrt-guessed'), await api.anonymous.get('/version'), await ask('glrt-other')];
  expect(others.map(({ status }) => status)).toEqual([403, 401, 429]);
  expect((await api.anonymous.get('/version')).status).toBe(429);
  expect((await ask(runner.token)).status).toBe(204);
});
