import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import { readBlobs } from '#core/repositories/git/read-blobs.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { findEntry } from '#core/repositories/git/tree-entries.js';
import type { CompileContext } from './compile-context.js';

/** Bytes of a file that are read at all; what a configuration may have is less, and refused with its own error. */
const MAX_FILE = 4 * 1024 * 1024;
const MAX_PATH = 4_096;
const SYMLINK = '120000';

/** The part of the context of a configuration that the repository answers. */
export type RepositoryCompileContext = Pick<CompileContext, 'readFile' | 'changedFiles' | 'allFiles'>;

/** Which commits are meant, as full ids. */
interface CompiledCommit {
  readonly sha: string;
  /** The commit before a push; absent or all zeros: unknown. */
  readonly beforeSha?: string;
}

/** Reads what configurations ask for from a commit; each list once at most. */
export function repositoryContext(
  repositoryPath: string,
  { sha, beforeSha }: CompiledCommit,
): RepositoryCompileContext {
  const changed = new Map<string, Promise<readonly string[] | null>>();
  let all: Promise<readonly string[] | null> | undefined;

  const readFile = async (path: string): Promise<string | null> => {
    const plain = path.replace(/^\/+/, '');
    if (!isPath(plain)) return null;
    const entry = await findEntry(repositoryPath, sha, plain);
    if (entry?.type !== 'blob' || entry.mode === SYMLINK || (entry.size ?? 0) > MAX_FILE) return null;
    const [content] = await readBlobs(repositoryPath, [entry.id], MAX_FILE);
    return content?.toString('utf8') ?? null;
  };

  const changesSince = async (compareTo: string): Promise<readonly string[] | null> => {
    if (compareTo !== '') {
      const since = await resolveCommit(repositoryPath, compareTo);
      return since === null ? null : listPaths(repositoryPath, diff(`${since}...${sha}`));
    }
    if (beforeSha === undefined || /^0+$/.test(beforeSha)) return null;
    return listPaths(repositoryPath, diff(beforeSha, sha));
  };

  return {
    readFile,
    changedFiles: (compareTo = '') => {
      const found = changed.get(compareTo) ?? changesSince(compareTo);
      changed.set(compareTo, found);
      return found;
    },
    allFiles: () =>
      (all ??= listPaths(repositoryPath, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', sha])),
  };
}

/** Git refuses paths that lead out of the repository, and the system arguments without end. */
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

/** Null when there are too many, or a commit (after a forced push) is gone. */
async function listPaths(repositoryPath: string, args: readonly string[]): Promise<readonly string[] | null> {
  try {
    const output = await git(repositoryPath, args);
    return output.toString('utf8').split('\0').slice(0, -1);
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'exit' || error.reason === 'too-large')) return null;
    throw error;
  }
}
