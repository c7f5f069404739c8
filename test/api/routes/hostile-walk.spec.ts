import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../../support/api.js';
import { DaySample } from '../../support/day-sample.js';
import { Walker } from '../../support/hostile/walker.js';
import { arrangeWorld, restoreWorld } from '../../support/hostile/world.js';

/** Maximum number of reported problems of one route. */
const SHOWN = 60;

/** `npm test` walks another tenth every day, `.ci/run` all of it. */
const sample = DaySample.ofEnvironment();

describe('every route', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: process.env['WALK_LOG'] ?? 'silent' });
    await arrangeWorld(api);
  });
  afterAll(() => api.close());

  const routesWith = (isWanted: (route: RouteDescription) => boolean): RouteDescription[] =>
    listRoutes(api.app).filter(isWanted);

  async function walk(all: readonly RouteDescription[], walked = sample.of(all)): Promise<void> {
    const only = process.env['WALK_ONLY'];
    const routes = only === undefined ? walked : all.filter(({ path }) => path.includes(only));
    process.stdout.write(`Hostile walk (${sample.toString()}): ${routes.length} of ${all.length} routes\n`);
    const walker = new Walker(api);
    await restoreWorld(api);
    for (const route of routes) await walker.walk(route);
    expect(walker.problems.slice(0, SHOWN)).toEqual([]);
    expect(walker.requests).toBeGreaterThan(routes.length);
  }

  it('answers any invalid request with a documented refusal, and writes nothing', async () => {
    await walk(routesWith(({ path }) => path.startsWith('/api/v4/')));
  }, 1_800_000);

  it('does the same for monitoring tools and SDKs, and writes only to the project of the key', async () => {
    const few = routesWith(({ rule }) => rule?.credential === 'alert-key' || rule?.credential === 'dsn');
    await walk(few, few);
  });

  it('answers with a page to any request for a page', async () => {
    await walk(routesWith(({ rule }) => rule?.page !== undefined && rule.page !== 'asset'));
  }, 900_000);
});
