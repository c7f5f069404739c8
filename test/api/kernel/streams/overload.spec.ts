import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';

describe('overload', () => {
  let api: TestApi | undefined;
  afterEach(async () => {
    await api?.close();
    api = undefined;
  });

  const start = async (env: Readonly<Record<string, string>>): Promise<TestApi> =>
    (api = await startProbedApi(env));

  it('returns 503 with Retry-After beyond MAX_CONCURRENT_REQUESTS, and still serves probes', async () => {
    const { root, anonymous } = await start({ MAX_CONCURRENT_REQUESTS: '2' });
    const slow = [root.get('/probe/slow?amount=600'), root.get('/probe/slow?amount=600')];
    await new Promise((resolve) => setTimeout(resolve, 200));
    const refused = await root.get('/version');
    expect([refused.status, refused.body]).toEqual([503, { message: '503 Service Unavailable' }]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/json');
    expect((await anonymous.get('/-/health')).status).toBe(200);
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await root.get('/version')).status).toBe(200);
  });

  it('returns 503 after REQUEST_TIMEOUT_MS; a handler that ends later has no effect', async () => {
    const { root } = await start({ REQUEST_TIMEOUT_MS: '1000' });
    const late = await root.get('/probe/slow?amount=1300');
    expect([late.status, late.body]).toEqual([503, { message: '503 Service Unavailable' }]);
    expect(late.headers.get('retry-after')).toBe('5');
    // The connection of the first response is reused while its handler finishes.
    for (let index = 0; index < 10; index += 1) {
      expect((await root.get('/version')).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});
