import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { loadConfig } from '#kernel/config/load-config.js';
import { DiskStorage } from '#kernel/object-storage/disk-storage.js';
import { startMeddlingS3 } from '../../../test/support/meddling-s3.js';
import { makeSmallDisk } from '../../../test/support/small-disk.js';
import { TargetProblem } from './backup-problem.js';
import { openTarget } from './backup-target.js';
import { Backups } from './backups.js';

/** Far more than a stream reads at once. */
const SIZE = 8 * 1024 * 1024;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-backups-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('never lets content end that was replaced by a shorter one in a file of equal size', async () => {
  const backups = new Backups(new DiskStorage(folder), undefined);
  const content = randomBytes(SIZE);
  const file = await backups.write('backup/objects/large.gz', Readable.from([content]));
  const path = join(folder, file.key);
  const original = readFileSync(path);
  const shorter = gzipSync('Somebody else has written this.');
  writeFileSync(path, Buffer.concat([shorter, Buffer.alloc(original.length - shorter.length)]));

  const ended: Buffer[] = [];
  const reading = backups.read(file, async (stream) => ended.push(await buffer(stream)));
  await expect(reading).rejects.toThrow(`${file.key} is damaged: its digest is another one`);
  expect(ended).toEqual([]);

  writeFileSync(path, original);
  await backups.read(file, async (stream) => ended.push(await buffer(stream)));
  expect(ended[0]?.equals(content)).toBe(true);
});

it('tells a target that is full from content that cannot be read', async () => {
  const small = join(folder, 'small');
  const disk = makeSmallDisk(small, process.pid);
  try {
    const backups = new Backups(new DiskStorage(small), undefined);
    const full = backups.write('backup/full.gz', Readable.from([randomBytes(SIZE)]));
    await expect(full).rejects.toThrow(TargetProblem);
    const unreadable = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('The beginning.');
      await Promise.resolve();
      throw new Error('git pack-objects failed');
    };
    const broken = backups.write('backup/broken.gz', Readable.from(unreadable()));
    const reason: unknown = await broken.catch((error: unknown) => error);
    expect(reason).not.toBeInstanceOf(TargetProblem);
    expect((reason as Error).message).toBe('git pack-objects failed');
  } finally {
    disk.grow();
    disk.remove();
  }
});

it('reads no more of a manifest than its store has announced', async () => {
  const s3 = await startMeddlingS3();
  const target = await openTarget(s3.url('forge/lying'), loadConfig({}));
  let sent = 0;
  s3.meddle(({ method }, response) => {
    if (method === 'HEAD') {
      response.writeHead(200, { 'Content-Length': '100', 'Last-Modified': new Date().toUTCString() }).end();
      return true;
    }
    const endless = function* (): Generator<Buffer> {
      for (; sent < 8 * SIZE; sent += SIZE / 64) yield Buffer.alloc(SIZE / 64, ' ');
    };
    Readable.from(endless()).pipe(response);
    return true;
  });
  try {
    const reading = new Backups(target, undefined).manifest('20260304T050607008Z-abcdef');
    await expect(reading).rejects.toThrow('manifest.json is damaged: it is longer than the target says');
    expect(sent).toBeLessThan(8 * SIZE);
  } finally {
    target.close();
    await s3.close();
  }
});
