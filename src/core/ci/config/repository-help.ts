import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import { readFileAt } from '#core/repositories/git/kept/read-file-at.js';
import { readBlobs } from '#core/repositories/git/read-blobs.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { findEntry } from '#core/repositories/git/tree-entries.js';
import { walkTree } from '#core/repositories/git/walk-tree.js';
import type { CompileHelp } from './compile-help.js';

/** Limit of bytes read of a file; a configuration has a lower limit with its own error. */
const MAX_FILE = 4 * 1024 * 1024;
const MAX_PATH = 4_096;
/** Limit of bytes of a list of paths; longer lists count as unknown. */
const MAX_LIST = 8 * 1024 * 1024;
const SYMLINK = '120000';
const TAB = 0x09;
const NUL = Buffer.alloc(1);

/** Full ids of the commits that are compiled and compared. */
interface CompiledCommit {
  readonly sha: string;
  /** The commit before a push; absent or all zeros if unknown. */
  readonly beforeSha?: string;
}

/**
 * Reads what a configuration needs of a commit as raw bytes of git; parsing takes time and is left to the
 * thread.
 */
export function repositoryHelp(repositoryPath: string, { sha, beforeSha }: CompiledCommit): CompileHelp {
  const changesSince = async (compareTo: string): Promise<Buffer | null> => {
    if (compareTo !== '') {
      const since = await resolveCommit(repositoryPath, compareTo);
      return since === null ? null : listPaths(repositoryPath, diff(`${since}...${sha}`));
    }
    if (beforeSha === undefined || /^0+$/.test(beforeSha)) return null;
    return listPaths(repositoryPath, diff(beforeSha, sha));
  };

  return {
    readFile: async (path) => {
      const plain = path.replace(/^\/+/, '');
      if (!isPath(plain)) return null;
      const known = await readFileAt(repositoryPath, sha, plain);
      if (known) return known.mode === SYMLINK ? null : known.content;
      const entry = await findEntry(repositoryPath, sha, plain);
      if (entry?.type !== 'blob' || entry.mode === SYMLINK || (entry.size ?? 0) > MAX_FILE) return null;
      const [content] = await readBlobs(repositoryPath, [entry.id], MAX_FILE);
      return content ?? null;
    },
    changedFiles: changesSince,
    allFiles: () => listFiles(repositoryPath, sha),
  };
}

/** Rejects paths that git refuses (they lead out of the repository) and paths too long for an argument. */
const isPath = (path: string): boolean =>
  path.length <= MAX_PATH &&
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const diff = (...commits: readonly string[]): string[] => [
  'diff',
  '--name-only',
  '--no-renames',
  '--no-ext-diff',
  '-z',
  ...commits,
  '--',
];

/** Null if there are too many, or the commit no longer exists. */
async function listFiles(repositoryPath: string, commit: string): Promise<Buffer | null> {
  const paths: Buffer[] = [];
  let size = 0;
  const walk = walkTree(repositoryPath, commit, { recursive: true }, (line) => {
    const path = line.subarray(line.indexOf(TAB) + 1);
    paths.push(path, NUL);
    size += path.length + NUL.length;
    return size <= MAX_LIST;
  });
  const end = await walk.catch(orNull);
  return end === 'whole' && size <= MAX_LIST ? Buffer.concat(paths) : null;
}

/** Null if there are too many, or a commit no longer exists, as after a forced push. */
async function listPaths(repositoryPath: string, args: readonly string[]): Promise<Buffer | null> {
  return git(repositoryPath, args, { maxBytes: MAX_LIST }).catch(orNull);
}

/** Returns null for errors that mean a missing commit or too much output; rethrows others. */
function orNull(error: unknown): null {
  if (error instanceof GitFailure && (error.reason === 'exit' || error.reason === 'too-large')) return null;
  throw error;
}
