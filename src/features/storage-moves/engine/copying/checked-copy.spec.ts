import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { copyChecked } from './checked-copy.js';

const sha1 = (content: Buffer): Buffer => createHash('sha1').update(content).digest();

let folder: string;
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-copy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies a file with this content; returns whether it arrived, and the number of reported bytes. */
async function copy(content: Buffer, objectId: string | null): Promise<{ same: boolean; bytes: number }> {
  serial += 1;
  const [from, to] = [join(folder, `${serial}.from`), join(folder, `${serial}.to`)];
  writeFileSync(from, content);
  let bytes = 0;
  const file = { from, to, size: content.length, objectId };
  await copyChecked(file, new AbortController().signal, (more) => (bytes += more));
  return { same: existsSync(to) && readFileSync(to).equals(content), bytes };
}

const withTrailer = (content: Buffer): Buffer => Buffer.concat([content, sha1(content)]);

/** Returns the content with one bit flipped. */
function flipped(content: Buffer, at: number): Buffer {
  const copied = Buffer.from(content);
  copied.writeUInt8(copied.readUInt8(at) ^ 1, at);
  return copied;
}

describe('copying a file that ends with its checksum', () => {
  it.each([0, 1, 19, 20, 262_124, 262_125, 262_144, 262_150, 1_000_000])(
    'copies files of %i bytes',
    async (size) => {
      const content = withTrailer(randomBytes(size));
      expect(await copy(content, null)).toEqual({ same: true, bytes: content.length });
    },
  );

  it('refuses a file that is changed, truncated or empty', async () => {
    const content = withTrailer(randomBytes(600_000));
    for (const broken of [
      flipped(content, 0),
      flipped(content, 300_000),
      flipped(content, content.length - 1),
      content.subarray(0, -1),
      content.subarray(0, 262_144),
      Buffer.alloc(0),
      Buffer.alloc(10),
    ])
      await expect(copy(broken, null)).rejects.toThrow(/is broken$/);
  });
});

describe.each([
  ['small', 100],
  ['large', 500_000],
])('copying a %s object', (_name, size) => {
  const object = Buffer.concat([Buffer.from(`blob ${size}\0`), randomBytes(size)]);
  const id = sha1(object).toString('hex');
  const content = deflateSync(object);

  it('copies it unchanged', async () => {
    expect(await copy(content, id)).toEqual({ same: true, bytes: content.length });
  });

  it('refuses a different object, and one that is changed or truncated', async () => {
    await expect(copy(content, '0'.repeat(40))).rejects.toThrow(/is broken$/);
    for (const broken of [
      flipped(content, 50),
      content.subarray(0, -20),
      Buffer.from('nothing'),
      Buffer.alloc(0),
    ])
      await expect(copy(broken, id)).rejects.toThrow(/is broken$/);
  });
});
