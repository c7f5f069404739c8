import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { startApi, type TestApi } from '../support/api.js';
import { chanceOf } from '../support/hostile/chance.js';
import { Walker } from '../support/hostile/walker.js';
import { arrangeWorld, restoreWorld } from '../support/hostile/world.js';
import { longestStop } from '../support/longest-stop.js';
import { startProduct, type Product } from '../support/processes.js';

const LIMIT_MS = 100;
/** Mutations of each route. */
const COUNT = 3;

const folder = mkdtempSync(join(tmpdir(), 'forgeplane-loop-walk-'));
const env = {
  SECRETS_KEY: 'a key of the tests with 32 characters or more',
  REPOSITORY_STORAGES: `default=${folder}/repositories`,
  OBJECT_STORE_URL: `file://${folder}/objects`,
};
/** Sets up the data, and lists the routes. */
let api: TestApi;
/** On the same database; only this process is measured. */
let product: Product;

beforeAll(async () => {
  api = await startApi({ ...env, LOG_LEVEL: 'silent' });
  const database = { DATABASE_URL: api.databaseUrl, LOG_LEVEL: 'error', NODE_ENV: 'production' };
  product = await startProduct({ env: { ...env, ...database }, readyWithin: 180_000 });
  // Afterwards, because the sealed values of the world are not sealed by any key.
  await arrangeWorld(api);
});
afterAll(async () => {
  await product.dispose();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

it('no route blocks the event loop, whatever is sent', async () => {
  const found: string[] = [];
  const walker = new Walker({ ...api, url: product.url });
  const routes = listRoutes(api.app).filter(({ path }) => path.startsWith('/api/'));
  for (const [at, route] of routes.entries()) {
    if (at % 25 === 0) await restoreWorld(api);
    const ms = await longestStop(product, LIMIT_MS, async () => {
      // The same values in every attempt.
      const chance = chanceOf(at + 1);
      for (let sent = 0; sent < COUNT; sent += 1) await walker.mutate(route, chance);
    });
    if (ms > LIMIT_MS) found.push(`${route.method} ${route.path}: ${ms} ms`);
  }
  expect(found).toEqual([]);
  expect(walker.requests).toBeGreaterThan(routes.length);
}, 3_600_000);
