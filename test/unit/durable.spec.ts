import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fs, { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '#kernel/config/load-config.js';
import { loadSecretsKey } from '#kernel/crypto/secrets-key.js';
import { startEmbeddedPostgres } from '#kernel/database/embedded/start-embedded-postgres.js';
import { makeFolder } from '#kernel/disk/durable.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { checkFolders } from '#kernel/start/folders.js';
import { takeAway } from '#features/storage-moves/engine/cleanup/set-aside.js';
import type { MoveRun } from '#features/storage-moves/engine/run/move-run.js';
import { Quarantine } from '#core/repositories/objects/quarantine.js';

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'forgeplane-durable-'));
let prototype: FileHandle;
let flushed: string[];

beforeAll(async () => {
  const handle = await open(folder, 'r');
  prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});

beforeEach(() => {
  flushed = [];
  const note = (descriptor: number): void => {
    const path = relative(folder, readlinkSync(`/proc/self/fd/${descriptor}`)) || '.';
    // Another spec of this process may still flush files in the background.
    if (!path.startsWith('..')) flushed.push(path);
  };
  const sync: (this: FileHandle) => Promise<void> = Reflect.get(prototype, 'sync');
  jest.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    note(this.fd);
    return sync.call(this);
  });
  const { fsyncSync } = fs;
  jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    note(descriptor);
    fsyncSync(descriptor);
  });
  syncBuiltinESMExports();
});

afterEach(() => {
  jest.restoreAllMocks();
  syncBuiltinESMExports();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('flushing to survive a power failure', () => {
  it('covers a new folder, each new parent folder, and its name in the existing one', async () => {
    await makeFolder(join(folder, 'a/b/c'));
    expect(flushed).toEqual(['a/b/c', 'a/b', 'a', '.']);
    flushed = [];
    await makeFolder(join(folder, 'a/b/c'));
    expect(flushed).toEqual([]);
  });

  it.each(['objects', 'slashed/'])('covers an object and all its parent folders (%s)', async (name) => {
    const url = pathToFileURL(join(folder, name)).href;
    const store = await openObjectStorage(loadConfig({ OBJECT_STORE_URL: url }));
    const root = name.replace('/', '');
    expect(flushed).toEqual([`${root}/.tmp`, root, '.']);
    for (const key of ['x/y/one', 'x/y/two']) {
      flushed = [];
      await store.put(key, Buffer.from('1'));
      const [content, ...folders] = flushed;
      expect(content).toMatch(/\/\.tmp\/[0-9a-f]{24}$/);
      // Existing folders too: the process that created them may not have flushed them yet.
      expect(folders.slice(-3)).toEqual([`${root}/x/y`, `${root}/x`, root]);
    }
  });

  it('covers the folders of a first start', async () => {
    const [dataDir, objects] = [join(folder, 'first/data'), join(folder, 'first/objects')];
    await checkFolders(loadConfig({ DATA_DIR: dataDir, OBJECT_STORE_URL: pathToFileURL(objects).href }));
    expect(flushed).toEqual(expect.arrayContaining(['.', 'first']));
  });

  it('covers the name of a new secrets key', () => {
    loadSecretsKey({ PROCESS: 'all', DATA_DIR: folder });
    expect(flushed).toEqual([expect.stringMatching(/^secrets\.key\./), '.']);
  });

  it('covers the name of a new database', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
    await server.stop();
    expect(flushed).toEqual(['database', '.', 'database']);
  });

  it('covers files that are moved out of quarantine', async () => {
    const path = join(folder, 'r.git');
    mkdirSync(join(path, 'objects'), { recursive: true });
    const quarantine = new Quarantine(path);
    const { GIT_OBJECT_DIRECTORY: place } = (await quarantine.directory()).env;
    mkdirSync(join(place ?? '', 'ab'));
    writeFileSync(join(place ?? '', 'ab', 'c'.repeat(38)), '');
    await quarantine.moveIn();
    expect(flushed).toEqual(['r.git/objects/ab', 'r.git/objects']);
  });

  it('covers the old place of a repository that has been moved, so that it does not return', async () => {
    const [storage, place] = [join(folder, 'storage'), join(folder, 'storage/12/34/56.git')];
    mkdirSync(place, { recursive: true });
    const run = { move: { id: 1 }, context: { runToken: 'a' }, confirm: () => Promise.resolve() };
    expect(await takeAway(run as unknown as MoveRun, storage, place)).toBe(true);
    expect(flushed).toContain('storage/12/34');
  });
});
