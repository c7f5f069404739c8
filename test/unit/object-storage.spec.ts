import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '#kernel/config/load-config.js';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import {
  ObjectNotFound,
  ObjectTooLarge,
  RangeNotSatisfiable,
  type ObjectStorage,
} from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { parseS3Location } from '#kernel/object-storage/s3-location.js';
import { S3Storage } from '#kernel/object-storage/s3-storage.js';
import { startS3, type TestS3 } from '../support/s3-server.js';
import { makeUnremovable, removeUnremovable } from '../support/unremovable.js';

const folder = mkdtempSync(join(tmpdir(), 'forgeplane-objects-'));
const root = join(folder, 'disk');
let s3Server: TestS3;
const stores = new Map<string, ObjectStorage>();

beforeAll(async () => {
  s3Server = await startS3();
  const open = (url: string): Promise<ObjectStorage> =>
    openObjectStorage(loadConfig({ OBJECT_STORE_URL: url }));
  stores.set('disk', await open(pathToFileURL(root).href));
  stores.set('s3', await open(s3Server.url('forge/some/prefix')));
});

afterAll(async () => {
  for (const store of stores.values()) store.close();
  await s3Server.close();
  rmSync(folder, { recursive: true, force: true });
});

const MB = 1024 * 1024;

function megabytes(count: number): Readable {
  const block = Buffer.alloc(64 * 1024, 'x');
  return Readable.from(
    (function* () {
      for (let index = 0; index < count * 16; index += 1) yield block;
    })(),
    { objectMode: false },
  );
}

const keysOf = async (store: ObjectStorage, prefix?: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const item of store.list(prefix)) keys.push(item.key);
  return keys.sort();
};

describe.each(['disk', 's3'])('object storage on %s', (kind) => {
  let store: ObjectStorage;
  beforeAll(() => {
    store = stores.get(kind) as ObjectStorage;
  });

  it('writes, reads, replaces and removes', async () => {
    const first = await store.put('a/b/one.txt', Buffer.from('hello'), { contentType: 'text/plain' });
    expect(first).toEqual({ size: 5, sha256: createHash('sha256').update('hello').digest('hex') });
    expect((await buffer(await store.get('a/b/one.txt'))).toString()).toBe('hello');
    expect((await store.put('a/b/one.txt', Readable.from(['good', 'bye']))).size).toBe(7);
    expect((await buffer(await store.get('a/b/one.txt'))).toString()).toBe('goodbye');
    const info = await store.head('a/b/one.txt');
    expect(info.size).toBe(7);
    expect(Math.abs(info.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    await store.delete('a/b/one.txt');
    await store.delete('a/b/one.txt');
    await expect(store.get('a/b/one.txt')).rejects.toBeInstanceOf(ObjectNotFound);
    await expect(store.head('a/b/one.txt')).rejects.toBeInstanceOf(ObjectNotFound);
    await expect(store.range('a/b/one.txt', 0, 1)).rejects.toBeInstanceOf(ObjectNotFound);
  });

  it('keeps empty objects', async () => {
    expect((await store.put('empty', Readable.from([]))).size).toBe(0);
    expect(await buffer(await store.get('empty'))).toHaveLength(0);
    expect((await store.put('empty', Buffer.alloc(0))).size).toBe(0);
    await store.delete('empty');
  });

  it('reads ranges', async () => {
    await store.put('digits', Buffer.from('0123456789'));
    const text = async (start: number, end: number): Promise<string> =>
      (await buffer(await store.range('digits', start, end))).toString();
    expect(await text(2, 4)).toBe('234');
    expect(await text(3, 3)).toBe('3');
    // s3rver treats an end of 0 as no end.
    if (kind === 'disk') expect(await text(0, 0)).toBe('0');
    expect(await text(8, 100)).toBe('89');
    await expect(store.range('digits', 10, 12)).rejects.toBeInstanceOf(RangeNotSatisfiable);
    await expect(store.range('digits', 3, 2)).rejects.toBeInstanceOf(RangeNotSatisfiable);
    await store.delete('digits');
  });

  it('opens parts of files on this machine', async () => {
    await store.put('local', Buffer.from('0123456789'));
    const file = await store.openLocal('local', 2, 5);
    if (kind === 's3') {
      expect(file).toBeNull();
    } else {
      expect(String(await file?.next())).toBe('23456');
      expect(file?.rest).toBe(0);
      file?.close();
      await expect(store.openLocal('missing', 0, 1)).rejects.toBeInstanceOf(ObjectNotFound);
      await expect(store.openLocal('local', 10, 1)).rejects.toBeInstanceOf(ObjectNotFound);
    }
    await store.delete('local');
  });

  it('streams large content in little memory', async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const stored = await store.put('large', megabytes(96));
    let size = 0;
    for await (const chunk of await store.get('large')) size += (chunk as Buffer).length;
    clearInterval(timer);
    expect(stored.size).toBe(96 * MB);
    expect(size).toBe(96 * MB);
    // The S3 server runs in this process.
    expect(peak - before).toBeLessThan(kind === 'disk' ? 64 * MB : 160 * MB);
    await store.delete('large');
  });

  it.each([1, 20])('refuses more than the limit (%d MB), and leaves nothing behind', async (size) => {
    const source = megabytes(size);
    await expect(store.put('too-large', source, { maxBytes: (size * MB) / 2 })).rejects.toBeInstanceOf(
      ObjectTooLarge,
    );
    expect(source.destroyed).toBe(false);
    await expect(store.put('too-large', Buffer.alloc(2), { maxBytes: 1 })).rejects.toBeInstanceOf(
      ObjectTooLarge,
    );
    await expect(store.head('too-large')).rejects.toBeInstanceOf(ObjectNotFound);
    expect((await store.put('exact', Buffer.alloc(2), { maxBytes: 2 })).size).toBe(2);
    await store.delete('exact');
  });

  it('keeps the previous content if a source fails', async () => {
    await store.put('kept', Buffer.from('old'));
    const failing = Readable.from(
      (function* () {
        yield Buffer.alloc(MB);
        throw new Error('connection lost');
      })(),
    );
    await expect(store.put('kept', failing)).rejects.toThrow('connection lost');
    const aborted = new Readable({ read: () => undefined });
    const pending = store.put('kept', aborted);
    aborted.destroy();
    await expect(pending).rejects.toThrow();
    expect((await buffer(await store.get('kept'))).toString()).toBe('old');
    await store.delete('kept');
  });

  it('lists folders and removes many objects at once', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `list/${index % 2}/${index}.bin`);
    await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))));
    await store.put('listed-not', Buffer.from('x'));
    expect(await keysOf(store, 'list/')).toEqual([...keys].sort());
    expect(await keysOf(store, 'list/1/')).toHaveLength(6);
    expect(await keysOf(store, 'none/')).toEqual([]);
    await store.deleteMany([...keys, 'never-there']);
    expect(await keysOf(store)).toEqual(['listed-not']);
    await store.delete('listed-not');
  });

  it.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a/./b',
    'a//b',
    'a/',
    '.tmp/x',
    'a\\..\\b',
    'a\0b',
    'a\nb',
    'C:/x',
    'x'.repeat(256),
    'x/'.repeat(600) + 'x',
    '\ud800',
  ])('refuses the key %j', async (key) => {
    await expect(store.put(key, Buffer.from('x'))).rejects.toBeInstanceOf(TypeError);
    await expect(store.get(key)).rejects.toBeInstanceOf(TypeError);
    await expect(store.delete(key)).rejects.toBeInstanceOf(TypeError);
  });

  it('accepts names in any language', async () => {
    await store.put('d/a b+c%2F~\u00fc.txt', Buffer.from('x'));
    expect(await keysOf(store, 'd/')).toEqual(['d/a b+c%2F~\u00fc.txt']);
    await store.delete('d/a b+c%2F~\u00fc.txt');
  });

  it('can be checked', async () => {
    await store.checkWritable();
    expect(await keysOf(store)).toEqual([]);
  });
});

describe('DiskStorage', () => {
  it('leaves neither temporary files nor empty folders', () => {
    expect(readdirSync(root)).toEqual(['.tmp']);
    expect(readdirSync(join(root, '.tmp'))).toEqual([]);
  });

  it('removes stale files', async () => {
    writeFileSync(join(root, '.tmp', 'old'), '');
    utimesSync(join(root, '.tmp', 'old'), 0, 0);
    writeFileSync(join(root, '.tmp', 'new'), '');
    const stuck = join(root, '.tmp', 'stuck');
    makeUnremovable(stuck);
    utimesSync(stuck, 0, 0);
    try {
      // Neither must it keep the service from starting.
      (await DiskStorage.open(root)).close();
      expect(readdirSync(join(root, '.tmp')).sort()).toEqual(['new', 'stuck']);
    } finally {
      removeUnremovable(stuck);
    }
  });

  it('supports simultaneous writes and removals in one folder', async () => {
    const store = new DiskStorage(join(folder, 'busy'));
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await store.put(`x/y/${index}`, Buffer.from('x'));
        await store.delete(`x/y/${index}`);
      }),
    );
    expect(await keysOf(store)).toEqual([]);
  });
});

describe('S3Storage', () => {
  it('signs as in the published example "GET Object" of Signature Version 4', async () => {
    const store = await S3Storage.open(
      parseS3Location({
        OBJECT_STORE_URL: 's3://examplebucket?region=us-east-1',
        OBJECT_STORE_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
        OBJECT_STORE_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      }),
    );
    const signer = await store.client.config.signer();
    const signed = await signer.sign(
      {
        method: 'GET',
        protocol: 'https:',
        hostname: 'examplebucket.s3.amazonaws.com',
        path: '/test.txt',
        headers: { host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9' },
      },
      { signingDate: new Date('2013-05-24T00:00:00Z'), signingRegion: 'us-east-1', signingService: 's3' },
    );
    expect(signed.headers['authorization']).toContain(
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
    store.close();
  });

  it('reads its bucket and prefix from the URL', () => {
    expect(
      parseS3Location({
        OBJECT_STORE_URL: 's3://key:s%2Fe@bucket/a/b/?endpoint=http://h:1&region=r&forcePathStyle=true',
      }),
    ).toEqual({
      bucket: 'bucket',
      prefix: 'a/b/',
      region: 'r',
      endpoint: 'http://h:1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 's/e' },
    });
  });
});
