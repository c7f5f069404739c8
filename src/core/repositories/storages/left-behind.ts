import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any push, clean-up or fetch: older files are abandoned. */
export const LEFT_AFTER_MS = 24 * 3_600_000;

/** Folders of loose objects contain no locks, only unfinished objects, which git's clean-up removes. */
const LOOSE = /^[0-9a-f]{2}$/;

const isLeft = (folder: string, name: string): boolean =>
  name.endsWith('.lock') || (folder === 'objects' && name.startsWith('tmp_objdir-'));

/**
 * Finds what killed git processes have left in a repository, by relative path: locks, which block refs
 * forever, and new objects of unaccepted pushes. Files changed since `before` (epoch milliseconds) may still
 * be in use.
 */
export async function leftBehind(repository: string, before: number): Promise<string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await opendir(join(repository, folder)).catch(() => null);
    if (!entries) return;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (isLeft(folder, entry.name)) {
        if (await isOlder(join(repository, path), before)) found.push(path);
      } else if (entry.isDirectory() && isSearched(folder, entry.name)) await walk(path);
    }
  };
  await walk('');
  return found.sort();
}

/** Removes these files. @returns what was removed */
export async function sweepRepository(repository: string, now = Date.now()): Promise<string[]> {
  const left = await leftBehind(repository, now - LEFT_AFTER_MS);
  for (const path of left) await rm(join(repository, path), { recursive: true, force: true });
  return left;
}

/**
 * Locks are next to what they lock: in the repository itself, among refs, and in a few folders of objects.
 */
const isSearched = (folder: string, name: string): boolean =>
  folder === ''
    ? ['refs', 'objects', 'logs'].includes(name)
    : !(folder === 'objects' && (LOOSE.test(name) || name === 'pack'));

const isOlder = (path: string, before: number): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs) < before,
    () => false,
  );
