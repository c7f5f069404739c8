import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ImportLimits } from '../../import-limits.js';
import { asRetryable } from '../../runs/as-retryable.js';
import { unpacked } from './unpacked.js';

const folder = mkdtempSync(join(tmpdir(), 'forgeplane-unpacked-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function lengthOf(bytes: Buffer, changed: Partial<ImportLimits> = {}): Promise<number> {
  const file = join(folder, 'file');
  writeFileSync(file, bytes);
  const limits = Object.assign(new ImportLimits(), changed);
  let length = 0;
  for await (const piece of unpacked(file, limits, new AbortController().signal)) length += piece.length;
  return length;
}

describe('an unpacked file', () => {
  it('is read completely', async () => {
    expect(await lengthOf(gzipSync(Buffer.alloc(300_000, 'x')))).toBe(300_000);
    expect(await lengthOf(gzipSync(''))).toBe(0);
  });

  it('is refused if it is too large, or a compression bomb', async () => {
    const zeros = gzipSync(Buffer.alloc(5_000_000));
    await expect(lengthOf(zeros, { unpackedBytes: 1_000_000 })).rejects.toThrow('too large');
    await expect(lengthOf(zeros, { ratioFromBytes: 1_000_000 })).rejects.toThrow('far more than its size');
    expect(await lengthOf(zeros)).toBe(5_000_000);
  });

  it('is retried later if it is damaged', async () => {
    const packed = gzipSync(Buffer.from('{"a":1}\n'.repeat(10_000)));
    for (const damaged of [packed.subarray(0, packed.length - 20), Buffer.from('no gzip'), Buffer.alloc(0)]) {
      const error = await lengthOf(damaged).catch((reason: unknown) =>
        asRetryable(reason, new ImportLimits()),
      );
      expect(error).toMatchObject({ name: 'SourceBusy', kind: 'damaged file', retryAfterMs: 60_000 });
    }
  });
});
