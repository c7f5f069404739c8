import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits of ref files read one by one, and of bytes of packed refs: for more, git is cheaper. */
const MAX_FILES = 60;
const MAX_PACKED_BYTES = 256 * 1024;

const ID_LINE = /^[0-9a-f]{40}\n$/;
const PACKED = /^([0-9a-f]{40}) (refs\/[^ \t\r]+)$/;

/**
 * Reads the refs of a repository below `refs/` as git does: loose ones before packed ones, so that a ref
 * being packed is not missed. `isLeftOut`: full names of refs and folders to skip. Null if there are many, or
 * anything is unusual: git handles that.
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

/** Collects loose refs. @returns whether there are few */
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
