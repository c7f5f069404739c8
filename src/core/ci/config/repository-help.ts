import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import { readFileAt } from '#core/repositories/git/kept/read-file-at.js';
import { readBlobs } from '#core/repositories/git/read-blobs.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { findEntry } from '#core/repositories/git/tree-entries.js';
import { walkTree } from '#core/repositories/git/walk-tree.js';
import type { CompileHelp } from './compile-help.js';

/** Bytes of a file that are read at all; what a configuration may have is less, and refused with its own error. */
const MAX_FILE = 4 * 1024 * 1024;
const MAX_PATH = 4_096;
/** Bytes of a list of paths: where there are more, nobody knows which there are. */
const MAX_LIST = 8 * 1024 * 1024;
const SYMLINK = '120000';
const TAB = 0x09;
const NUL = Buffer.alloc(1);

/** Which commits are meant, as full ids. */
interface CompiledCommit {
  readonly sha: string;
  /** The commit before a push; absent or all zeros: unknown. */
  readonly beforeSha?: string;
}

/** Reads what configurations ask for from a commit, as git has it: making sense of it takes time, which is that of a thread. */
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

/** Null when there are too many, or the commit is gone. */
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

/** Null when there are too many, or a commit (after a forced push) is gone. */
async function listPaths(repositoryPath: string, args: readonly string[]): Promise<Buffer | null> {
  return git(repositoryPath, args, { maxBytes: MAX_LIST }).catch(orNull);
}

/** What git cannot list for want of the commit, or of room. */
function orNull(error: unknown): null {
  if (error instanceof GitFailure && (error.reason === 'exit' || error.reason === 'too-large')) return null;
  throw error;
}
