import { describe, expect, it, beforeAll, afterAll } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { ZipFile } from 'yazl';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ArchiveFilesService } from './archive-files.service.js';
import type { ArchiveIndex } from './archive-index-builder.js';
import { indexArchive } from './index-archive.js';
import { InvalidArchive } from './invalid-archive.js';
import { CorruptFile } from './verified-content.js';

type Files = readonly (readonly [path: string, content: Buffer, isStored?: boolean])[];

function zipOf(files: Files): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content, isStored = false] of files)
    zip.addBuffer(content, path, { compress: !isStored });
  zip.end();
  return buffer(zip.outputStream);
}

describe('indexing an archive', () => {
  let folder: string;
  let storage: DiskStorage;
  let files: ArchiveFilesService;
  const key = 'archive';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forgeplane-index-'));
    storage = new DiskStorage(folder);
    files = new ArchiveFilesService(undefined as unknown as ReadDatabase, storage);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function index(archive: Buffer): Promise<ArchiveIndex> {
    await storage.put(key, archive);
    return indexArchive(storage, key, archive.length);
  }

  async function read({ entries, count }: ArchiveIndex, path: string): Promise<Buffer | null> {
    const found = await files.find(
      { id: 1, objectKey: key, entryCount: count, windowStart: 0, window: entries },
      path,
    );
    return found && buffer(await files.open(found));
  }

  it('finds and reads every file of any archive', async () => {
    const path = fc.stringMatching(/^[a-z0-9ü]{1,8}(\/[A-Z.x-]{0,6}[a-z]){0,3}$/);
    const entry = fc.tuple(
      path,
      fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
      fc.boolean(),
    );
    const archive = fc.uniqueArray(entry, { maxLength: 30, selector: ([name]) => name });
    await fc.assert(
      fc.asyncProperty(archive, async (given) => {
        const made = await index(await zipOf(given));
        expect(made.count).toBe(given.length);
        for (const [name, content] of given) expect((await read(made, name))?.equals(content)).toBe(true);
        expect(await read(made, 'not-there')).toBeNull();
      }),
      { numRuns: 25 },
    );
  });

  it('handles any damage to an archive, and never serves content that is not in it', async () => {
    const contents: Files = Array.from({ length: 6 }, (_, position) => [
      `dir/file-${position}`,
      Buffer.from(`content of ${position} `.repeat(30 + position)),
      position % 2 === 0,
    ]);
    const sound = await zipOf(contents);
    const flips = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(flips, async (changes) => {
        const archive = Buffer.from(sound);
        for (const [position, bits] of changes)
          archive.writeUInt8(archive.readUInt8(position) ^ bits, position);
        const made = await index(archive).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InvalidArchive);
          return null;
        });
        if (!made) return;
        for (const [name, content] of contents) {
          const served = await read(made, name).catch((error: unknown) => {
            expect(error).toBeInstanceOf(CorruptFile);
            return null;
          });
          if (served) expect(served.equals(content)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('refuses files that are truncated, empty or not archives', async () => {
    const sound = await zipOf([['a', Buffer.from('a')]]);
    for (const archive of [
      Buffer.alloc(0),
      Buffer.from('no zip'),
      Buffer.alloc(100_000, 'PK'),
      sound.subarray(0, -3),
    ]) {
      await expect(index(archive)).rejects.toThrow(InvalidArchive);
    }
  });
});
