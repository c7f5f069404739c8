import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '#kernel/config/load-config.js';
import { makeFolder } from '#kernel/disk/durable.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
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
  const sync: (this: FileHandle) => Promise<void> = Reflect.get(prototype, 'sync');
  jest.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    const path = relative(folder, readlinkSync(`/proc/self/fd/${this.fd}`)) || '.';
    // Another spec of this process may still flush files in the background.
    if (!path.startsWith('..')) flushed.push(path);
    return sync.call(this);
  });
});

afterEach(() => {
  jest.restoreAllMocks();
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

  it('covers files that are moved out of quarantine', async () => {
    const path = join(folder, 'r.git');
    mkdirSync(join(path, 'objects'), { recursive: true });
    const quarantine = new Quarantine(path);
    const { GIT_OBJECT_DIRECTORY: place } = (await quarantine.place()).env;
    mkdirSync(join(place ?? '', 'ab'));
    writeFileSync(join(place ?? '', 'ab', 'c'.repeat(38)), '');
    await quarantine.moveIn();
    expect(flushed).toEqual(['r.git/objects/ab', 'r.git/objects']);
  });
});
