import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import { parseEntry, type TreeEntry } from '#core/repositories/git/tree-entries.js';
import { MAX_FILES } from './snippet-limits.js';

/** More than the longest names of as many files as there can be. */
const MAX_LISTING = 256 * 1024;

/** The files of a commit (a full id or the full name of a ref), by name; null when there are more than a snippet can have. */
export async function listFiles(
  repositoryPath: string,
  commit: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TreeEntry[] | null> {
  try {
    // Folders too: those without any file would otherwise be walked through without end.
    const output = await git(repositoryPath, ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', commit], {
      env,
      maxBytes: MAX_LISTING,
    });
    const entries = output
      .toString('utf8')
      .split('\0')
      .flatMap((line) => parseEntry(line) ?? [])
      .filter(({ type }) => type !== 'tree');
    return entries.length > MAX_FILES ? null : entries;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'too-large') return null;
    throw error;
  }
}
