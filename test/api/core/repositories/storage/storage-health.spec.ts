import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HealthChecks, type HealthResult } from '#kernel/health/health-checks.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-health-'));
  mkdirSync(join(folder, 'there'));
  writeFileSync(join(folder, 'file'), '');
  const storages = { default: 'there', later: 'not/yet', broken: 'file/below' };
  const text = Object.entries(storages).map(([name, path]) => `${name}=${join(folder, path)}`);
  api = await startApi({ REPOSITORY_STORAGES: text.join(',') });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

it('readiness reports a storage that is not writable, and leaves no files on it', async () => {
  // The first queries of the database may take longer than the limit of two seconds.
  await until(async () => {
    const { checks } = await api.app.get(HealthChecks).run();
    return ['default', 'later'].every((name) => checks[`storage_${name}`]?.status === 'up');
  });
  const { isReady, checks } = await api.app.get(HealthChecks).run();
  const storage = (name: string): HealthResult | undefined => checks[`storage_${name}`];
  expect(storage('default')).toMatchObject({ status: 'up' });
  expect(storage('later')).toMatchObject({ status: 'up' });
  expect(storage('broken')).toMatchObject({
    status: 'down',
    message: `${join(folder, 'file')} is not a folder`,
  });
  expect(isReady).toBe(false);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['file', 'there']);
});
