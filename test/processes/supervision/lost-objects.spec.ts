import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiClient } from '../../support/client.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { launch } from '../../support/launch.js';
import { ROOT_TOKEN, startProduct, type Product } from '../../support/processes.js';

const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-lost-objects-'));
const objects = join(dataDir, 'objects');
let database: TestDatabase;
let product: Product | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await product?.dispose();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ownFolder = (): Record<string, string> => ({ DATABASE_URL: database.url, DATA_DIR: dataDir });
const env = (): Record<string, string> => ({ ...ownFolder(), OBJECT_STORE_URL: pathToFileURL(objects).href });

const started = async (): Promise<ApiClient> => {
  product = await startProduct({ env: env(), dataDir });
  return new ApiClient(product.url, ROOT_TOKEN);
};

const refused = async (): Promise<string> => {
  const begun = launch('dist/app/main.js', { ...env(), PORT: '0', HOST: '127.0.0.1' });
  expect(await begun.ended).toBe(1);
  return begun.output();
};

it('nothing starts on an object storage that is empty, as one whose disk is not mounted, while the database names objects', async () => {
  const client = await started();
  const { body: project } = await client.post<{ id: number }>('/projects', { name: 'Kept' });
  const file = `/projects/${project.id}/packages/generic/p/1.0/f.bin`;
  // A restart without any object is none without its disk.
  await product?.stop();
  expect((await (await started()).put(file, 'precious')).status).toBe(201);
  await product?.stop();
  renameSync(objects, `${objects}.away`);
  for (let round = 0; round < 2; round += 1)
    expect(await refused()).toMatch(
      /^OBJECT_STORE_URL: .*objects holds no objects, but the database names some, such as packages\/\d+\/[0-9a-f]{32}: mount its disk/,
    );
  rmSync(objects, { recursive: true, force: true });
  renameSync(`${objects}.away`, objects);
  expect((await (await started()).get(file)).text).toBe('precious');
  await product?.stop();
  rmSync(join(objects, 'packages'), { recursive: true });
  expect(await refused()).toContain('holds no objects');
  product = await startProduct({ env: ownFolder(), dataDir });
  expect(product.output()).toContain('holds no objects');
  await product.stop();
  writeFileSync(join(objects, '.objects-lost'), '');
  expect((await (await started()).get(file)).status).toBe(404);
});
