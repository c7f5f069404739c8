import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import { ArchiveFilesService } from './archive-files.service.js';
import { indexArchive } from './index-archive.js';
import { InvalidArchive } from './invalid-archive.js';
import { CorruptFile } from './verified-content.js';

const CENTRAL = Buffer.from('PK\x01\x02', 'latin1');

function zipOf(fill: (zip: ZipFile) => void): Promise<Buffer> {
  const zip = new ZipFile();
  fill(zip);
  zip.end();
  return buffer(zip.outputStream);
}

/** Replaces all occurrences of a name by one of the same length. */
const renamed = (archive: Buffer, from: string, to: string): Buffer =>
  Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');

/** Finds the record of a file in the central directory. */
function recordOf(archive: Buffer, number: number): number {
  let position = -1;
  for (let count = 0; count <= number; count += 1) position = archive.indexOf(CENTRAL, position + 1);
  return position;
}

describe('hostile archives', () => {
  let folder: string;
  let storage: DiskStorage;
  let files: ArchiveFilesService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forgeplane-hostile-'));
    storage = new DiskStorage(folder);
    files = new ArchiveFilesService(undefined as unknown as ReadDatabase, storage);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function index(archive: Buffer) {
    await storage.put('key', archive);
    return indexArchive(storage, 'key', archive.length);
  }

  async function read(archive: Buffer, path: string): Promise<string | null> {
    const { entries, count } = await index(archive);
    const window = { id: 1, objectKey: 'key', entryCount: count, windowStart: 0, window: entries };
    const found = await files.find(window, path);
    return found && (await buffer(await files.open(found))).toString();
  }

  const plain = (): Promise<Buffer> =>
    zipOf((zip) => {
      zip.addBuffer(Buffer.from('one'), 'aaaa/x', { compress: false });
      zip.addBuffer(Buffer.from('two'), 'bbbb/y', { compress: false });
    });

  it.each(['../..x', '/aaa/x', 'a\\..\\x', '..//.x', 'aa\0a/x', 'aa\r\n/x', 'aaaa//', './aa/x'])(
    'contain no file %j',
    async (name) => {
      const archive = renamed(await plain(), 'aaaa/x', name);
      expect((await index(archive)).count).toBe(1);
      expect(await read(archive, name)).toBeNull();
      expect(await read(archive, 'bbbb/y')).toBe('two');
    },
  );

  it('contain no links, and no files of other kinds', async () => {
    const archive = await zipOf((zip) => {
      zip.addBuffer(Buffer.from('/etc/passwd'), 'link', { mode: 0o120777 });
      zip.addBuffer(Buffer.from('x'), 'device', { mode: 0o020666 });
      zip.addBuffer(Buffer.from('x'), 'file', { mode: 0o100644 });
      zip.addEmptyDirectory('folder');
    });
    expect((await index(archive)).count).toBe(1);
    expect(await read(archive, 'link')).toBeNull();
    expect(await read(archive, 'file')).toBe('x');
  });

  it('contain no encrypted files, and none with an unknown compression', async () => {
    const archive = await plain();
    archive.writeUInt16LE(archive.readUInt16LE(recordOf(archive, 0) + 8) | 1, recordOf(archive, 0) + 8);
    archive.writeUInt16LE(99, recordOf(archive, 1) + 10);
    expect((await index(archive)).count).toBe(0);
  });

  it('contain no file with a duplicate name', async () => {
    const archive = renamed(await plain(), 'bbbb/y', 'aaaa/x');
    expect((await index(archive)).count).toBe(0);
  });

  it('with wrong sizes, positions or numbers are refused or lose a file', async () => {
    const lie = async (position: number, value: number): Promise<Buffer> => {
      const archive = await plain();
      archive.writeUInt32LE(value, recordOf(archive, 0) + position);
      return archive;
    };
    const [packed, size, start] = [20, 24, 42];
    expect((await index(await lie(size, 4))).count).toBe(1);
    await expect(index(await lie(packed, 500))).rejects.toThrow('Entries overlap');
    await expect(index(await lie(packed, 0xfffffff0))).rejects.toThrow('Entries overlap');
    await expect(index(await lie(start, 39))).rejects.toThrow('Entries overlap');
    await expect(index(await lie(start, 0xfffffff0))).rejects.toThrow('Entries overlap');
    await expect(index(await lie(size, 0xffffffff))).resolves.toMatchObject({ count: 1 });
    const many = await plain();
    many.writeUInt16LE(500, many.length - 12);
    await expect(index(many)).rejects.toThrow(InvalidArchive);
  });

  it('fail at their declared size if they contain more', async () => {
    const bomb = await zipOf((zip) => zip.addBuffer(Buffer.alloc(50_000_000), 'zeros'));
    expect(bomb.length).toBeLessThan(100_000);
    bomb.writeUInt32LE(1000, recordOf(bomb, 0) + 24);
    await expect(read(bomb, 'zeros')).rejects.toThrow(CorruptFile);
  });

  it('are refused if they have too many entries', async () => {
    const archive = await plain();
    // The ZIP64 locator, whose number of entries takes precedence.
    const locator = Buffer.alloc(20);
    const directory = Buffer.alloc(56);
    directory.writeUInt32LE(0x06064b50, 0);
    directory.writeBigUInt64LE(200_001n, 32);
    directory.writeBigUInt64LE(BigInt(recordOf(archive, 0)), 48);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(archive.length - 22), 8);
    const big = Buffer.concat([archive.subarray(0, -22), directory, locator, archive.subarray(-22)]);
    await expect(index(big)).rejects.toThrow('It has more than 200000 entries');
    directory.writeBigUInt64LE(2n, 32);
    const fine = Buffer.concat([archive.subarray(0, -22), directory, locator, archive.subarray(-22)]);
    expect(await read(fine, 'bbbb/y')).toBe('two');
  });
});
