import { randomBytes } from 'node:crypto';
import { lstat, opendir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describeRepository, type RepositoryRef } from '../repository-ref.js';
import { flush, makeFolder } from '#kernel/disk/durable.js';

/** Where, on each storage, what lay at the place of a new repository is kept until a person removes it. */
export const SET_ASIDE_FOLDER = '+set-aside';

/** All that an empty repository has got from us. */
const FIRST_FILES = ['HEAD', 'config'];

/**
 * Makes room at a place for a new repository. What lies there is not ours to remove: it may be all that is left of somebody's work whose row has
 * been lost, so it is kept under a name that tells of it. Only what holds nothing goes. Gives the path to which it has gone, if any.
 */
export async function clearPlace(
  storageFolder: string,
  place: string,
  owner: RepositoryRef,
): Promise<string | null> {
  if (!(await lstat(place).catch(absent))) return null;
  if (await isUntouched(place)) {
    await rm(place, { recursive: true, force: true });
    return null;
  }
  return setAside(storageFolder, place, owner);
}

/** Takes a folder away from its place in one step, and keeps it. Gives its new path. */
export async function setAside(storageFolder: string, place: string, owner: RepositoryRef): Promise<string> {
  const folder = join(storageFolder, SET_ASIDE_FOLDER);
  await makeFolder(folder);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const kept = join(
    folder,
    `${time}-${describeRepository(owner).replace(/\W+/g, '-').replace(/-$/, '')}-${randomBytes(4).toString('hex')}.git`,
  );
  await rename(place, kept);
  await flush(folder);
  await flush(dirname(place));
  return kept;
}

/** Whether a folder is an empty repository in which nobody has written anything. */
async function isUntouched(path: string): Promise<boolean> {
  if (!(await lstat(path)).isDirectory()) return false;
  for await (const entry of await opendir(path, { recursive: true }))
    if (!entry.isDirectory() && !FIRST_FILES.includes(relative(path, join(entry.parentPath, entry.name))))
      return false;
  return true;
}

function absent(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
