import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startApi, type TestApi } from '../../support/api.js';
import { runCli } from '../../support/cli.js';
import { makeHungDisk, type HungDisk } from '../../support/hung-disk.js';

let api: TestApi;
let folder: string;
let disk: HungDisk | null;
beforeAll(async () => {
  api = await startApi();
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-hung-'));
  disk = makeHungDisk(join(folder, 'away'));
});
afterAll(async () => {
  disk?.remove();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

it('doctor says which storage does not respond, and what else it has found, and ends', async () => {
  if (!disk) {
    console.warn('This machine lets nobody mount a disk that never responds: NOT TESTED.');
    return;
  }
  await api.sql(
    `insert into repository_storages (name, identity, adopted_at) values ('away', gen_random_uuid(), now())`,
  );
  const began = Date.now();
  const run = await runCli(['doctor', '--json'], {
    DATABASE_URL: api.databaseUrl,
    DATA_DIR: join(folder, 'data'),
    REPOSITORY_STORAGES: `default=${join(folder, 'data/repositories')},away=${join(folder, 'away')}`,
    NODE_OPTIONS: `--import=${resolve('test/support/hasty.mjs')}`,
    HASTE: '10',
  });
  const { checks } = run.json() as { checks: { check: string; problem: string | null }[] };
  const found = new Map(checks.map(({ check, problem }) => [check, problem]));
  const silent = 'no response within 60 seconds';
  expect(found.get('the storages match the database')).toBe(silent);
  expect(found.get('the repository storages are writable')).toMatch(/no response|does not respond/);
  expect(found.get('only the service can access its files')).toBe(silent);
  expect(found.get('the object storage is writable')).toBeNull();
  // It cannot end by itself while it waits for the disk.
  expect([run.code, Date.now() - began < 60_000]).toEqual([null, true]);
});
