import { git } from './git.js';
import { RepositoryDamaged } from './damage/repository-damaged.js';

/** User-defined names must not be read as patterns. */
export const LITERAL_PATHS: Readonly<Record<string, string>> = { GIT_LITERAL_PATHSPECS: '1' };

/**
 * Limit of bytes of an entry with its path. A pushed object of a few kilobytes can contain a name of hundreds of
 * megabytes, which no file system takes.
 */
export const MAX_ENTRY_BYTES = 1024 * 1024;

/** An entry of a tree. */
export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly id: string;
  /** Size of a blob in bytes; null for other types. */
  readonly size: number | null;
  /** From the root of the tree. */
  readonly path: string;
}

/** Limit of bytes of paths per process, below the operating system's limit of arguments. */
const MAX_ARGUMENTS = 64 * 1024;

/**
 * Finds the entries of paths in a commit or tree (a full id); the result includes their parent folders.
 * @throws 503 if a blob is missing
 */
export async function findEntries(
  repositoryPath: string,
  tree: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  for (const part of inParts([...new Set(paths)])) {
    const args = ['ls-tree', '-z', '-l', '-t', '--full-tree', tree, '--', ...part];
    const output = await git(repositoryPath, args, { env: LITERAL_PATHS });
    for (const line of output.toString('utf8').split('\0')) {
      const entry = parseEntry(line);
      if (Number.isNaN(entry?.size)) throw new RepositoryDamaged(repositoryPath, `${line} is missing`);
      if (entry) found.set(entry.path, entry);
    }
  }
  return found;
}

/** Finds an entry, or null. */
export async function findEntry(
  repositoryPath: string,
  tree: string,
  path: string,
): Promise<TreeEntry | null> {
  return (await findEntries(repositoryPath, tree, [path])).get(path) ?? null;
}

/** Size that git reports for a missing blob. */
const NO_SIZE = 'BAD';

/**
 * Parses a line of `ls-tree` with or without `-l`; null if it is invalid. The size of a missing blob is NaN.
 */
export function parseEntry(line: string): TreeEntry | null {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', id = '', size = '-'] = line.slice(0, tab).split(/ +/);
  if (tab < 0) return null;
  const bytes = size === '-' ? null : size === NO_SIZE ? NaN : Number(size);
  return { mode, type: type as TreeEntry['type'], id, size: bytes, path: line.slice(tab + 1) };
}

function inParts(paths: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const path of paths) {
    length += Buffer.byteLength(path) + 1;
    if (length > MAX_ARGUMENTS) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(path);
  }
  return parts.filter((part) => part.length > 0);
}
