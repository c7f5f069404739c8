import { hash } from 'node:crypto';

/**
 * Size of a record of the index of an archive. There is one record per file, sorted by a digest of its path.
 * Digests are evenly distributed, so that the position of a record is known up to a few hundred records:
 * finding a file reads one window of the index.
 */
export const RECORD_BYTES = 48;

const HASH_BYTES = 16;
/** Bytes of the digest that determine the position; more would exceed the precision of a double. */
const FRACTION_BYTES = 6;
const FRACTION_RANGE = 2 ** 48;

/** Compression methods of served files, by their number in ZIP archives. */
export const STORED = 0;

/** See `STORED`. */
export const DEFLATED = 8;

/** Location of a file in its archive. */
export interface FileLocation {
  /** Offset of the local header. */
  readonly start: number;
  /** Bytes from there to the next entry, which include header and content. */
  readonly span: number;
  readonly packedSize: number;
  readonly size: number;
  readonly crc32: number;
  /** `STORED` or `DEFLATED`. */
  readonly packing: number;
}

/** Digest of a path in the index. */
export const pathDigest = (path: string): Buffer => hash('sha256', path, 'buffer').subarray(0, HASH_BYTES);

/** Expected relative position of a digest in the index: from 0 to just below 1. */
export const fractionOf = (digest: Buffer): number => digest.readUIntBE(0, FRACTION_BYTES) / FRACTION_RANGE;

/** Encodes a record without its span. */
export function encodeRecord(digest: Buffer, location: FileLocation): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  digest.copy(record);
  record.writeUIntBE(location.start, 16, 6);
  record.writeUIntBE(location.packedSize, 28, 6);
  record.writeUIntBE(location.size, 34, 6);
  record.writeUInt32BE(location.crc32, 40);
  record.writeUInt8(location.packing, 44);
  encodeSpan(record, location.span);
  return record;
}

/** Sets the span of a record. */
export function encodeSpan(record: Buffer, span: number): void {
  record.writeUIntBE(span, 22, 6);
}

/** Reads the start of a record. */
export const startOf = (record: Buffer): number => record.readUIntBE(16, 6);

const decodeRecord = (record: Buffer): FileLocation => ({
  start: startOf(record),
  span: record.readUIntBE(22, 6),
  packedSize: record.readUIntBE(28, 6),
  size: record.readUIntBE(34, 6),
  crc32: record.readUInt32BE(40),
  packing: record.readUInt8(44),
});

/**
 * Result of searching a window: the location, absence, or the side of the window on which the file would be.
 */
export type Looked = FileLocation | 'absent' | 'before' | 'after';

/** Searches some records for a digest. Callers must handle empty windows and the edges of the index. */
export function lookIn(records: Buffer, digest: Buffer): Looked {
  let low = 0;
  let high = Math.floor(records.length / RECORD_BYTES);
  const count = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records.subarray(middle * RECORD_BYTES, (middle + 1) * RECORD_BYTES);
    const order = record.compare(digest, 0, HASH_BYTES, 0, HASH_BYTES);
    if (order === 0) return decodeRecord(record);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 'before';
  return low === count ? 'after' : 'absent';
}
