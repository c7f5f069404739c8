import { randomBytes } from 'node:crypto';
import { lstat, opendir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describeRepository, type RepositoryRef } from '../repository-ref.js';
import { flush, makeFolder } from '#kernel/disk/durable.js';

/**
 * Folder on each storage for folders found at the path of a new repository, until an operator removes them.
 */
export const SET_ASIDE_FOLDER = '+set-aside';

/** All files of an empty repository. */
const FIRST_FILES = ['HEAD', 'config'];

/**
 * Makes room at a path for a new repository. Existing content may be the only copy of work whose row was
 * lost, so it is moved to a descriptive name; only empty repositories are removed. Returns the new path, if
 * it was moved.
 */
export async function clearPath(
  storageFolder: string,
  path: string,
  owner: RepositoryRef,
): Promise<string | null> {
  if (!(await lstat(path).catch(absent))) return null;
  if (await isUntouched(path)) {
    await rm(path, { recursive: true, force: true });
    return null;
  }
  return setAside(storageFolder, path, owner);
}

/** Moves a folder away in one step and keeps it. Returns its new path. */
export async function setAside(storageFolder: string, path: string, owner: RepositoryRef): Promise<string> {
  const folder = join(storageFolder, SET_ASIDE_FOLDER);
  await makeFolder(folder);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const kept = join(
    folder,
    `${time}-${describeRepository(owner).replace(/\W+/g, '-').replace(/-$/, '')}-${randomBytes(4).toString('hex')}.git`,
  );
  await rename(path, kept);
  await flush(folder);
  await flush(dirname(path));
  return kept;
}

/** Returns whether a folder is an empty repository without any writes. */
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
