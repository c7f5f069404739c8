import type { StorageReader } from './storage-reader.js';

// End records of an archive (APPNOTE 4.3.14 to 4.3.16).
const END_BYTES = 22;
const START_IN_END = 16;
const LOCATOR_BYTES = 20;
const LOCATOR_SIGNATURE = 0x07064b50;
const START_IN_END_64 = 48;

/**
 * Finds the start of the central directory of an archive that yauzl could open, so its end records are valid.
 */
export async function directoryStart(
  reader: Pick<StorageReader, 'bytes'>,
  size: number,
  commentBytes: number,
): Promise<number> {
  const end = size - END_BYTES - commentBytes;
  const locator = end < LOCATOR_BYTES ? undefined : await reader.bytes(end - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator?.readUInt32LE(0) !== LOCATOR_SIGNATURE)
    return (await reader.bytes(end + START_IN_END, 4)).readUInt32LE(0);
  const end64 = Number(locator.readBigUInt64LE(8));
  return Number((await reader.bytes(end64 + START_IN_END_64, 8)).readBigUInt64LE(0));
}
