import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { fromRandomAccessReaderPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { ArchiveIndexBuilder, type ArchiveIndex } from './archive-index-builder.js';
import { DEFLATED, STORED } from './archive-index.js';
import { isArtifactPath } from './artifact-path.js';
import { directoryStart } from './directory/directory-start.js';
import { Extents } from './extents.js';
import { InvalidArchive } from './invalid-archive.js';
import { StorageReader } from './directory/storage-reader.js';

/** Limit of files and folders in an archive. */
export const MAX_ENTRIES = 200_000;

/** Entries between two yields to the event loop. */
const ENTRIES_AT_A_TIME = 500;

const LOCAL_HEADER_BYTES = 30;
const UTF8_FLAG = 0x800;
/** Signature of a central directory entry. */
const ENTRY_SIGNATURE = Buffer.from('PK\x01\x02');
/** Size of a central directory entry without its name. */
const ENTRY_BYTES = 46;
const ENCRYPTED_FLAG = 0x1;
const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;

/**
 * Reads the central directory of a stored archive and builds its index. Leaves out entries that could be
 * unsafe: names with unsafe paths, links, encrypted files, unknown compression methods. @throws
 * InvalidArchive if the directory is inconsistent
 */
export async function indexArchive(storage: ObjectStorage, key: string, size: number): Promise<ArchiveIndex> {
  const reader = new StorageReader(storage, key, size);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, {
      decodeStrings: false,
      validateEntrySizes: false,
    });
    const directory = await directoryStart(reader, size, zip.comment.length);
    const { index, directoryBytes } = await indexOf(zip, directory);
    // If the directory counts too few entries, other readers would see files that this index lacks.
    if (await isEntryAt(reader, directory + directoryBytes))
      throw new InvalidArchive('It has more entries than it counts');
    return index;
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure;
    throw error instanceof InvalidArchive ? error : new InvalidArchive((error as Error).message);
  }
}

const isEntryAt = async (reader: StorageReader, position: number): Promise<boolean> =>
  (await reader.bytes(position, ENTRY_SIGNATURE.length)).equals(ENTRY_SIGNATURE);

async function indexOf(
  zip: ZipFile,
  directory: number,
): Promise<{ readonly index: ArchiveIndex; readonly directoryBytes: number }> {
  if (zip.entryCount > MAX_ENTRIES) throw new InvalidArchive(`It has more than ${MAX_ENTRIES} entries`);
  const builder = new ArchiveIndexBuilder();
  const extents = new Extents();
  let count = 0;
  let directoryBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { relativeOffsetOfLocalHeader: start, compressedSize: packedSize, uncompressedSize: size } = entry;
    extents.add(start, LOCAL_HEADER_BYTES + entry.fileNameLength + packedSize);
    const path = servedPath(entry);
    const { compressionMethod: packing, crc32 } = entry;
    if (path !== null) builder.add(path, { start, packedSize, size, crc32, packing });
    count += 1;
    directoryBytes += ENTRY_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (count % ENTRIES_AT_A_TIME === 0) await setImmediate();
  }
  if (!(await extents.settle(directory))) throw new InvalidArchive('Entries overlap');
  return { index: await builder.finish(extents), directoryBytes };
}

/** Returns the path under which an entry is served; null if it is not. */
function servedPath(entry: Entry): string | null {
  const { compressionMethod: packing, compressedSize, uncompressedSize } = entry;
  const isLying = packing === STORED && compressedSize !== uncompressedSize;
  const isReadable = packing === STORED || packing === DEFLATED;
  const isEncrypted = (entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0;
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  // Some archivers store no file type.
  if (isLying || !isReadable || isEncrypted || (type !== 0 && type !== REGULAR_FILE)) return null;
  const path = nameOf(entry);
  return path !== null && isArtifactPath(path) ? path : null;
}

/** Many programs write UTF-8 without setting the flag. */
function nameOf(entry: Entry): string | null {
  if (isUtf8(entry.fileNameRaw)) return entry.fileNameRaw.toString();
  if ((entry.generalPurposeBitFlag & UTF8_FLAG) !== 0) return null;
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
}
