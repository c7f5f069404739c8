import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../support/api.js';
import { chanceOf } from '../support/hostile/chance.js';
import { Walker } from '../support/hostile/walker.js';
import { arrangeWorld, restoreWorld } from '../support/hostile/world.js';

/** MUTATIONS=600 makes the run shorter, SEED=2 selects other mutations. */
const COUNT = Number(process.env['MUTATIONS'] ?? 6_000);
const SEED = Number(process.env['SEED'] ?? 1);

describe('every route under mutations', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: process.env['WALK_LOG'] ?? 'silent' });
    await arrangeWorld(api);
  });
  afterAll(() => api.close());

  it(`answers ${COUNT} mutations without a failure`, async () => {
    const routes = listRoutes(api.app).filter(({ path }) => path.startsWith('/api/'));
    const walker = new Walker(api);
    const chance = chanceOf(SEED);
    for (let sent = 0; sent < COUNT; sent += 1) {
      if (sent % 50 === 0) await restoreWorld(api);
      const route = routes[sent % routes.length];
      if (route) await walker.mutate(route, chance);
    }
    expect(walker.problems.slice(0, 60)).toEqual([]);
    expect(walker.requests).toBeGreaterThanOrEqual(COUNT);
  }, 3_600_000);

  it('accepts both ends of every number and time range, and shows the stored values', async () => {
    const routes = listRoutes(api.app).filter(({ path }) => path.startsWith('/api/'));
    const walker = new Walker(api);
    const isChange = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH';
    await restoreWorld(api);
    for (const route of routes) {
      await walker.reachEnds(route);
      if (isChange(route.method)) await restoreWorld(api);
    }
    for (const route of routes.filter(({ method }) => method === 'GET')) await walker.read(route);
    expect(walker.problems.slice(0, 60)).toEqual([]);
  }, 3_600_000);
});
