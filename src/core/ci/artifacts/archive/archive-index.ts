import { hash } from 'node:crypto';

/**
 * The index of an archive: one record of 48 bytes a file, sorted by a digest of its path. Digests are spread evenly, so that the place of a
 * record is known beforehand but for a few hundred records: whoever looks for one file reads a window of the index, not the index.
 */
export const RECORD_BYTES = 48;

const HASH_BYTES = 16;
/** Of the digest, what makes its place: more than doubles can hold would be lost. */
const FRACTION_BYTES = 6;
const FRACTION_RANGE = 2 ** 48;

/** Packings of files that are served, as archives number them. */
export const STORED = 0;

/** See `STORED`. */
export const DEFLATED = 8;

/** Where a file lies in its archive. */
export interface FileLocation {
  /** Of the header before its content. */
  readonly start: number;
  /** Bytes from there to whatever comes next: they hold the header and the content. */
  readonly span: number;
  readonly packedSize: number;
  readonly size: number;
  readonly crc32: number;
  /** `STORED` or `DEFLATED`. */
  readonly packing: number;
}

/** What the path of a file is known by in the index. */
export const pathDigest = (path: string): Buffer => hash('sha256', path, 'buffer').subarray(0, HASH_BYTES);

/** Where in the index a digest is to be expected: from 0 to (just below) 1. */
export const fractionOf = (digest: Buffer): number => digest.readUIntBE(0, FRACTION_BYTES) / FRACTION_RANGE;

/** Makes one record. */
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

/** Writes the span of a record. */
export function encodeSpan(record: Buffer, span: number): void {
  record.writeUIntBE(span, 22, 6);
}

/** The start of a record. */
export const startOf = (record: Buffer): number => record.readUIntBE(16, 6);

const decodeRecord = (record: Buffer): FileLocation => ({
  start: startOf(record),
  span: record.readUIntBE(22, 6),
  packedSize: record.readUIntBE(28, 6),
  size: record.readUIntBE(34, 6),
  crc32: record.readUInt32BE(40),
  packing: record.readUInt8(44),
});

/** What a window of the index says of a file: where it lies, that there is none, or on which side of the window it would be. */
export type Looked = FileLocation | 'absent' | 'before' | 'after';

/** Looks for a digest in some records. An empty window, and the edges of the index, are the caller's to know. */
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
