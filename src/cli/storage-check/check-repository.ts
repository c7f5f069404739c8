import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '#core/repositories/git/git.js';
import { readOwner } from '#core/repositories/storages/bare-repository.js';
import { problemOf } from '../doctor/finding.js';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );

/** Whether a folder of that name exists. */
export const isThere = isFolder;

/**
 * Returns what is wrong with the repository in an existing folder, or null. With `isThorough`, git reads
 * every object.
 */
export async function repositoryProblem(path: string, isThorough: boolean): Promise<string | null> {
  const head = await readFile(join(path, 'HEAD'), 'utf8').catch(() => null);
  if (head === null) return 'HEAD is missing';
  if (!/^(ref: refs\/heads\/[^\0-\x20]+|[0-9a-f]{40})\n?$/.test(head))
    return 'HEAD does not point to a branch';
  for (const folder of ['objects', 'refs'])
    if (!(await isFolder(join(path, folder)))) return `the folder ${folder} is missing`;
  const problem = await problemOf(() => (isThorough ? fsck(path) : readRefs(path)));
  return problem?.trim().replaceAll(/\s*\n\s*/g, '; ') ?? null;
}

/** Git warns of refs with unreadable content, and fails on refs to missing objects. */
async function readRefs(path: string): Promise<void> {
  const options = { timeoutMs: HOURS_MS, noticesDamage: true };
  await git(path, ['for-each-ref', '--format=%(objecttype)'], options);
}

/** Whether the identity of a repository differs from the one in the database. */
export async function isForeign(path: string, identity: string | null): Promise<boolean> {
  const owner = identity === null ? null : await readOwner(path).catch(() => null);
  return owner !== null && owner !== identity;
}

const HOURS_MS = 3_600_000;

async function fsck(path: string): Promise<void> {
  await git(path, ['fsck', '--full', '--no-dangling', '--no-progress'], { timeoutMs: 6 * HOURS_MS });
}
