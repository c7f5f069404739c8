import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { filesBelow } from '../../../support/object-files.js';

const CONTEXT = { signal: new AbortController().signal } as JobContext;

/** A disk that is unmounted while the service runs leaves an empty folder, or none. */
describe('the folder of objects of a running service', () => {
  let api: TestApi;
  let folder: string;
  let files: string;
  let made = 0;
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'fatal' });
    folder = join(api.app.get(Config).DATA_DIR, 'objects');
    files = `/projects/${(await buildProject(api.root)).id}/packages/generic/p/1.0`;
  });
  afterAll(() => api.close());

  const unmount = (): void => renameSync(folder, `${folder}.away`);
  const mount = (): void => {
    rmSync(folder, { recursive: true, force: true });
    renameSync(`${folder}.away`, folder);
  };
  const upload = async (): Promise<string> => {
    const file = `${files}/f${(made += 1)}.bin`;
    expect((await api.root.put(file, 'precious')).status).toBe(201);
    return file;
  };
  const removeObjects = (): Promise<void> => api.app.get(RemoveObjectsProcessor).process({}, CONTEXT);

  let file: string;
  beforeEach(async () => {
    file = await upload();
  });
  afterEach(() => {
    if (existsSync(`${folder}.away`)) mount();
  });

  it.each([
    ['empty', () => mkdirSync(folder)],
    ['gone', () => undefined],
  ])('answers 503 while it is %s, and what it did before once it is back', async (_what, leave) => {
    unmount();
    leave();
    const refused = await api.root.get(file);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '10']);
    expect((await api.root.get(file, { Range: 'bytes=1-2' })).status).toBe(503);
    expect((await api.root.put(`${files}/other.bin`, 'hidden by the mount')).status).toBe(503);
    mount();
    expect((await api.root.get(file)).text).toBe('precious');
    await upload();
  });

  it('is not taken for one whose objects are removed already', async () => {
    const [{ id } = { id: 0 }] = await api.sql<{ id: number }>(
      'select id from package_files order by id desc',
    );
    const kept = filesBelow(folder).length;
    unmount();
    mkdirSync(folder);
    await api.sql('delete from package_files where id = $1', [id]);
    await removeObjects().catch(() => undefined);
    mount();
    await removeObjects();
    expect(filesBelow(folder)).toHaveLength(kept - 1);
  });

  it('may lack an object, and be replaced by another one that holds some', async () => {
    const [{ key } = { key: '' }] = await api.sql<{ key: string }>(
      'select object_key as key from package_files order by id desc limit 1',
    );
    unlinkSync(join(folder, key));
    expect((await api.root.get(file)).status).toBe(404);
    unmount();
    mkdirSync(join(folder, 'packages'), { recursive: true });
    expect((await api.root.get(file)).status).toBe(404);
    await upload();
    mount();
  });

  it('may be empty if the operator says that all objects are lost', async () => {
    unmount();
    mkdirSync(folder);
    writeFileSync(join(folder, '.objects-lost'), '');
    expect((await api.root.get(file)).status).toBe(404);
    await upload();
    mount();
  });
});
