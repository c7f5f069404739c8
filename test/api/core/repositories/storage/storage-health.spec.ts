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

it('a storage that is not writable is reported, leaves the process ready, and gets no files', async () => {
  // The first queries of the database may take longer than the limit of two seconds.
  await until(async () => {
    const { checks } = await api.app.get(HealthChecks).run();
    return ['default', 'later'].every((name) => checks[`storage_${name}`]?.status === 'up');
  });
  const { isComplete, checks } = await api.app.get(HealthChecks).run();
  const storage = (name: string): HealthResult | undefined => checks[`storage_${name}`];
  expect(storage('default')).toMatchObject({ status: 'up' });
  expect(storage('later')).toMatchObject({ status: 'up' });
  expect(storage('broken')).toMatchObject({
    status: 'down',
    message: `${join(folder, 'file')} is not a folder`,
  });
  expect(isComplete).toBe(false);
  expect((await api.anonymous.get('/-/readiness?all=1')).status).toBe(503);
  expect((await api.anonymous.get('/-/readiness')).status).toBe(200);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['file', 'there']);
});

it('a process without any writable storage is not ready', async () => {
  const lost = await startApi({
    REPOSITORY_STORAGES: `default=${join(folder, 'file/one')},other=${join(folder, 'file/two')}`,
  });
  try {
    await until(async () => (await lost.anonymous.get('/-/readiness')).status === 503);
    const { checks } = await lost.app.get(HealthChecks).run();
    expect(checks['database']).toMatchObject({ status: 'up' });
  } finally {
    await lost.close();
  }
});
