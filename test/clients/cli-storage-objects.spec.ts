import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { startApi, type TestApi, ROOT_TOKEN } from '../support/api.js';
import { runCommand, type CliRun } from '../support/cli.js';
import { startS3 } from '../support/s3-server.js';

/** An object store, empty at first. */
interface Store {
  readonly url: string;
  close(): Promise<void>;
}

const onDisk = (): Promise<Store> => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-objects-'));
  const close = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  return Promise.resolve({ url: pathToFileURL(folder).href, close });
};
const inBucket = async (): Promise<Store> => {
  const s3 = await startS3();
  return { url: s3.url('forge/objects'), close: () => s3.close() };
};

describe.each([
  ['a folder', onDisk],
  ['S3', inBucket],
])('objects that no row names, in %s', (_name, open) => {
  let api: TestApi;
  let store: Store;
  let storage: ObjectStorage;
  let id: number;
  const strayed = (digit: string, folder = `packages/${id}`): string => `${folder}/${digit.repeat(32)}`;

  beforeAll(async () => {
    store = await open();
    api = await startApi({ LOG_LEVEL: 'silent', OBJECT_STORE_URL: store.url });
    storage = api.app.get(ObjectStorage);
    ({ id } = (await api.root.post<{ id: number }>('/projects', { name: 'objects' })).body);
  });
  afterAll(async () => {
    await api.close();
    await store.close();
  });

  const check = (...args: readonly string[]): Promise<CliRun> =>
    runCommand(['storage', 'check', ...args], {
      DATABASE_URL: api.databaseUrl,
      DATA_DIR: '/nonexistent',
      OBJECT_STORE_URL: store.url,
      REPOSITORY_STORAGES: `default=${process.env['TEST_FOLDER'] ?? tmpdir()}/none`,
    });
  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of storage.list()) found.push(key);
    return found.sort();
  };
  const aboutObjects = (run: CliRun): string[] =>
    run.stdout.split('\n').filter((line) => /objects/.test(line));

  it('are never taken away for a database that names none of them', async () => {
    await storage.put(strayed('a'), Buffer.from('12345'));
    const run = await check('--grace', '0', '--remove-objects');
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('names none of the objects')]);
    expect(await api.sql('select 1 from object_claims')).toEqual([]);
  });

  it('are not looked for while a restore is not complete', async () => {
    await api.sql(
      `create table unfinished_copy as select 'begun' as step, '{"what": "A restore"}'::json as note`,
    );
    const run = await check();
    await api.sql('drop table unfinished_copy');
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('A restore into this database')]);
  });

  it('are counted, and removed only with an option', async () => {
    const upload = await fetch(`${api.url}/api/v4/projects/${id}/packages/generic/tool/1/tool.txt`, {
      method: 'PUT',
      headers: { 'private-token': ROOT_TOKEN },
      body: 'named',
    });
    expect(upload.status).toBe(201);
    const claimed = await api.app.get(ObjectClaims).claim(`packages/${id}`);
    for (const key of [claimed, strayed('b'), strayed('c', 'avatars'), 'backups/2026/objects.gz'])
      await storage.put(key, Buffer.from('123'));
    const before = await keys();

    expect(aboutObjects(await check())).toEqual([]);
    const run = await check('--grace', '0');
    expect([run.code, aboutObjects(run)]).toEqual([
      0,
      [
        expect.stringMatching(/^NOTE {5}objects:avatars holds 1 object \(3 bytes\) that nothing names\. /),
        expect.stringMatching(/^NOTE {5}objects:packages holds 2 objects \(8 bytes\) that nothing names\. /),
        expect.stringMatching(/, 5 objects: all is well\.$/),
      ],
    ]);
    expect((await check('--grace', '0', '--json')).json()).toMatchObject({
      ...{ ok: true, objects: 5 },
      problems: [{ isNote: true }, { isNote: true }],
    });
    expect(await keys()).toEqual(before);

    const removal = await check('--grace', '0', '--remove-objects');
    expect([removal.code, removal.stderr]).toEqual([0, '']);
    expect(removal.stdout).toContain('The running service removes 3 objects (11 bytes)');
    const context = { signal: new AbortController().signal } as unknown as JobContext;
    await api.app.get(RemoveObjectsProcessor, { strict: false }).process({}, context);
    const gone = [strayed('a'), strayed('b'), strayed('c', 'avatars')];
    expect(await keys()).toEqual(before.filter((key) => !gone.includes(key)));
    expect((await check('--grace', '0')).stdout).toMatch(/, 2 objects: all is well\.\n$/);
  });

  it('are distinguished from those that a row names and the store lacks', async () => {
    const upload = (name: string): Promise<Response> =>
      fetch(`${api.url}/api/v4/projects/${id}/packages/generic/tool/2/${name}`, {
        method: 'PUT',
        headers: { 'private-token': ROOT_TOKEN },
        body: name,
      });
    expect((await upload('kept.txt')).status).toBe(201);
    const before = await keys();
    expect((await upload('lost.txt')).status).toBe(201);
    const [lost = ''] = (await keys()).filter((key) => !before.includes(key));
    const [row] = await api.sql<{ id: number }>('select max(id)::int as id from package_files');
    await storage.delete(lost);

    const run = await check();
    expect([run.code, aboutObjects(run)]).toEqual([
      1,
      [expect.stringMatching(/^PROBLEM {2}objects:packages lacks 1 object that the database names: /)],
    ]);
    expect(run.stdout).toContain(`${lost} of package_files ${row?.id}. `);
    expect((await check('--json')).json()).toMatchObject({ ok: false });

    await storage.put(lost, Buffer.from('lost.txt'));
    expect((await check()).code).toBe(0);
  });

  it('are not looked for by the check of one storage', async () => {
    const run = await check('--storage', 'default', '--remove-objects');
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('--storage')]);
  });
});
