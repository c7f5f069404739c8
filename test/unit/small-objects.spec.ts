import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import { ObjectNotFound } from '#kernel/object-storage/object-storage.js';

const SMALL = 64 * 1024;

describe('small files that are read completely', () => {
  let folder: string;
  let store: DiskStorage;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'forgeplane-small-'));
    store = new DiskStorage(folder);
  });
  afterAll(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Stores an object, and returns a function that reads it. */
  async function put(key: string, content: Buffer): Promise<() => Promise<string>> {
    const { sha256 } = await store.put(key, content);
    return async () => {
      const file = await store.openLocal(key, 0, content.length, { sha256 });
      const text = String(await file.next());
      file.close();
      return text;
    };
  }

  /** Removes the file without the store: later reads come from memory. */
  const lose = (key: string): void => rmSync(join(folder, key));

  it('come from memory for a while, only with the same digest, and not in parts', async () => {
    const read = await put('one', Buffer.from('one'));
    expect([await read(), await read()]).toEqual(['one', 'one']);
    lose('one');
    expect(await read()).toBe('one');
    await expect(store.openLocal('one', 0, 2)).rejects.toBeInstanceOf(ObjectNotFound);
    await expect(store.openLocal('one', 0, 3, { sha256: 'another' })).rejects.toBeInstanceOf(ObjectNotFound);
  });

  it('are forgotten when they are deleted or replaced', async () => {
    const deleted = await put('deleted', Buffer.from('one'));
    await deleted();
    await store.delete('deleted');
    await expect(deleted()).rejects.toBeInstanceOf(ObjectNotFound);
    const former = await put('replaced', Buffer.from('one'));
    await former();
    await put('replaced', Buffer.from('two'));
    expect(await former()).toBe('two');
  });

  it('are limited in number and size, and the oldest are dropped', async () => {
    const large = await put('large', Buffer.alloc(SMALL + 1, 'x'));
    await large();
    lose('large');
    await expect(large()).rejects.toBeInstanceOf(ObjectNotFound);
    const first = await put('first', Buffer.from('first'));
    await first();
    // Fills the cache after it.
    for (let at = 0; at < 64; at += 1) await (await put(`many/${at}`, Buffer.alloc(SMALL, 'x')))();
    lose('first');
    await expect(first()).rejects.toBeInstanceOf(ObjectNotFound);
  });
});
