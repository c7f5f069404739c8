import { parseEntry, type TreeEntry } from '#core/repositories/git/tree-entries.js';
import { walkTree } from '#core/repositories/git/walk-tree.js';
import { MAX_FILES } from './snippet-limits.js';

/** Limit of tree entries: folders of the maximum number of files. */
const MAX_ENTRIES = 25_000;

/**
 * Lists the files of a commit (a full id or the full name of a ref), by name; null if there are more than a
 * snippet can have.
 */
export async function listFiles(
  repositoryPath: string,
  commit: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TreeEntry[] | null> {
  const entries: TreeEntry[] = [];
  const walk = { recursive: true, sizes: true, env, maxEntries: MAX_ENTRIES };
  const end = await walkTree(repositoryPath, commit, walk, (line) => {
    const entry = parseEntry(line.toString('utf8'));
    if (entry) entries.push(entry);
    return entries.length <= MAX_FILES;
  });
  return end === 'whole' ? entries : null;
}
