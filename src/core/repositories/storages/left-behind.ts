import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeftOvers } from '#kernel/disk/left-overs.js';

const PACKS = 'objects/pack';

/** Git takes locks last, and holds them for minutes at most. */
const LOCKS_AFTER_MS = 3_600_000;

/** What is to replace the packed refs. Git writes it under their lock, and no longer changes them while one is there. */
const NEW_PACKED_REFS = 'packed-refs.new';

/** The folder for the objects of a push is there from its beginning on; no push takes longer. */
const OBJECTS_AFTER_MS = 24 * 3_600_000;

/** The packs that a clean-up is about to put in place, which may be as large as all others: git removes only those of its own process. */
const REPACKED = /^\.tmp-\d+-pack-/;

/** Other unfinished packs. The clean-up of git removes them at that age, but most repositories never need one. */
const UNFINISHED = /^tmp_(pack|idx|rev|bitmap|mtimes|promisor)_/;
const UNFINISHED_AFTER_MS = 14 * 24 * 3_600_000;

/** Folders of loose objects contain no locks, only unfinished objects, which git's clean-up removes. */
const LOOSE = /^[0-9a-f]{2}$/;

/** Age from which a file or folder is abandoned; undefined for those that belong to the repository. */
function leftAfterMs(folder: string, name: string): number | undefined {
  if (name.endsWith('.lock') || (folder === '' && name === NEW_PACKED_REFS)) return LOCKS_AFTER_MS;
  if (folder === 'objects') return name.startsWith('tmp_objdir-') ? OBJECTS_AFTER_MS : undefined;
  if (folder !== PACKS) return undefined;
  if (REPACKED.test(name)) return OBJECTS_AFTER_MS;
  return UNFINISHED.test(name) ? UNFINISHED_AFTER_MS : undefined;
}

/**
 * Finds what killed git processes have left in a repository, by relative path: locks, which block refs
 * forever, new objects of unaccepted pushes, and unfinished packs. Newer ones may still be in use.
 */
export async function leftBehind(repository: string, now = Date.now()): Promise<string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await opendir(join(repository, folder)).catch(() => null);
    if (!entries) return;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      const afterMs = leftAfterMs(folder, entry.name);
      if (afterMs !== undefined) {
        if (await isOlder(join(repository, path), now - afterMs)) found.push(path);
      } else if (entry.isDirectory() && isSearched(folder, entry.name)) await walk(path);
    }
  };
  await walk('');
  return found.sort();
}

/** Removes these files. @returns what was removed */
export async function sweepRepository(
  repository: string,
  leftOvers: LeftOvers,
  now = Date.now(),
): Promise<string[]> {
  const removed: string[] = [];
  for (const path of await leftBehind(repository, now))
    if (await leftOvers.remove(join(repository, path))) removed.push(path);
  return removed;
}

/**
 * Locks are next to what they lock: in the repository itself, among refs, and in a few folders of objects.
 */
const isSearched = (folder: string, name: string): boolean =>
  folder === '' ? ['refs', 'objects', 'logs'].includes(name) : !(folder === 'objects' && LOOSE.test(name));

const isOlder = (path: string, before: number): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs) < before,
    () => false,
  );
