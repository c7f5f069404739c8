import { access, open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** With more packs, git is used. */
const MAX_PACKS = 8;

const ID_BYTES = 20;
/**
 * Layout of a pack index: magic number and version; for each first byte the number of ids up to it; then the
 * sorted ids.
 */
const MARK = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const IDS_AT = MARK.length + 256 * 4;

/**
 * Returns whether a repository has all these objects, from its files and pack indexes; false if only git can
 * tell.
 */
export async function hasObjects(path: string, ids: Iterable<string>): Promise<boolean> {
  const objects = join(path, 'objects');
  const packed: string[] = [];
  for (const id of new Set(ids))
    if (!(await isThere(join(objects, id.slice(0, 2), id.slice(2))))) packed.push(id);
  if (packed.length === 0) return true;
  try {
    const indexes = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.idx'));
    if (indexes.length > MAX_PACKS) return false;
    const left = new Set(packed);
    for (const name of indexes) await findIn(join(objects, 'pack', name), left);
    return left.size === 0;
  } catch {
    return false;
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Removes the ids that the pack contains. */
async function findIn(index: string, ids: Set<string>): Promise<void> {
  const handle = await open(index, 'r');
  try {
    const head = await readAt(handle, 0, IDS_AT);
    if (!head.subarray(0, MARK.length).equals(MARK)) return;
    for (const id of ids) {
      const first = Number.parseInt(id.slice(0, 2), 16);
      const begin = first === 0 ? 0 : head.readUInt32BE(MARK.length + (first - 1) * 4);
      const end = head.readUInt32BE(MARK.length + first * 4);
      const some = await readAt(handle, IDS_AT + begin * ID_BYTES, (end - begin) * ID_BYTES);
      if (holds(some, Buffer.from(id, 'hex'))) ids.delete(id);
    }
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function holds(sorted: Buffer, id: Buffer): boolean {
  for (let low = 0, high = sorted.length / ID_BYTES; low < high;) {
    const middle = (low + high) >> 1;
    const order = sorted.compare(id, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
