import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files read one by one, and bytes of what is packed: of more git makes a list more cheaply. */
const MAX_FILES = 60;
const MAX_PACKED_BYTES = 256 * 1024;

const ID_LINE = /^[0-9a-f]{40}\n$/;
const PACKED = /^([0-9a-f]{40}) (refs\/\S+)$/;

/**
 * The refs of a repository below `refs/`, read as git reads them: what has a file of its own first, then what is packed, so that a ref on its way
 * from one to the other is not missed. `isLeftOut`: full names, of folders too, that nobody asks for. Null where they are many, or anything is not
 * as usual: git knows what to make of it.
 */
export async function readRefFiles(
  path: string,
  isLeftOut: (name: string) => boolean,
): Promise<ReadonlyMap<string, string> | null> {
  try {
    const names: string[] = [];
    if (!(await collect(path, 'refs', isLeftOut, names))) return null;
    const loose = await Promise.all(
      names.map(async (name) => [name, await readFile(join(path, name), 'latin1')] as const),
    );
    if (loose.some(([, text]) => !ID_LINE.test(text))) return null;
    const refs = await readPacked(path, isLeftOut);
    for (const [name, text] of loose) refs?.set(name, text.slice(0, 40));
    return refs;
  } catch {
    return null;
  }
}

/** @returns whether they are few */
async function collect(
  path: string,
  folder: string,
  isLeftOut: (name: string) => boolean,
  names: string[],
): Promise<boolean> {
  for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.name.endsWith('.lock') || isLeftOut(name)) continue;
    if (entry.isDirectory()) {
      if (!(await collect(path, name, isLeftOut, names))) return false;
    } else if (!entry.isFile() || entry.name.startsWith('.') || names.push(name) > MAX_FILES) return false;
  }
  return true;
}

async function readPacked(
  path: string,
  isLeftOut: (name: string) => boolean,
): Promise<Map<string, string> | null> {
  const file = join(path, 'packed-refs');
  const refs = new Map<string, string>();
  const size = await stat(file).then(
    (entry) => entry.size,
    (error: unknown) => (isAbsent(error) ? 0 : Infinity),
  );
  if (size > MAX_PACKED_BYTES) return null;
  for (const line of size === 0 ? [] : (await readFile(file, 'utf8')).split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) continue;
    const [, id, name] = PACKED.exec(line) ?? [];
    if (id === undefined || name === undefined || name.includes('\ufffd')) return null;
    if (!isLeftOut(name)) refs.set(name, id);
  }
  return refs;
}

const isAbsent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
