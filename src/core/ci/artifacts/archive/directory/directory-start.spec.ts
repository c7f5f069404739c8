import { describe, expect, it } from '@jest/globals';
import { directoryStart } from './directory-start.js';

/** Builds the end of an archive: its record, preceded by the ZIP64 records of archives above 4 GiB. */
function archive(start: number, comment: string, start64?: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(start, 16);
  const parts = [Buffer.alloc(100), end, Buffer.from(comment)];
  if (start64 !== undefined) {
    const end64 = Buffer.alloc(56);
    end64.writeUInt32LE(0x06064b50);
    end64.writeBigUInt64LE(BigInt(start64), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50);
    locator.writeBigUInt64LE(100n, 8);
    parts.splice(1, 0, end64, locator);
  }
  return Buffer.concat(parts);
}

const startOf = (bytes: Buffer, comment: string): Promise<number> => {
  const read = (position: number, length: number): Promise<Buffer> =>
    Promise.resolve(bytes.subarray(position, position + length));
  return directoryStart({ bytes: read }, bytes.length, Buffer.byteLength(comment));
};

describe('directoryStart', () => {
  it.each(['', 'a comment'])('reads the record at the end, with the comment %j after it', async (comment) =>
    expect(await startOf(archive(77, comment), comment)).toBe(77),
  );

  it('prefers the ZIP64 record if there is one', async () =>
    expect(await startOf(archive(0xffffffff, 'x', 2 ** 33), 'x')).toBe(2 ** 33));

  it('works if nothing precedes the record', async () =>
    expect(await startOf(archive(5, '').subarray(100), '')).toBe(5));
});
