import { git } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { RepositoryDamaged } from '../git/damage/repository-damaged.js';
import { readCommits, type Commit } from '../git/commit-log.js';

/** A branch or tag with its object. */
export interface Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string;
  readonly id: string;
}

/** Prefixes of branches and tags. */
export const BRANCHES = 'refs/heads/';
export const TAGS = 'refs/tags/';

/**
 * Lists all branches or all tags in an order of `git for-each-ref`, such as `-committerdate:raw` (git refuses
 * to format some times), then by name.
 */
export async function listRefs(
  path: string,
  folder: typeof BRANCHES | typeof TAGS,
  order = 'refname',
): Promise<Ref[]> {
  return readRefs(path, folder, [`--sort=${order}`, folder]);
}

/** Finds branches or tags by their valid names; omits those that do not exist. */
export async function findRefs(
  path: string,
  folder: typeof BRANCHES | typeof TAGS,
  names: readonly string[],
): Promise<Ref[]> {
  if (names.length === 0) return [];
  const wanted = new Set(names);
  // Git also matches these patterns as folder names.
  const found = await readRefs(
    path,
    folder,
    names.map((name) => folder + name),
  );
  return found.filter(({ name }) => wanted.has(name));
}

/** Returns which branches, or all, are merged into a branch; it must exist. */
export async function mergedBranches(
  path: string,
  into: string,
  names: readonly string[] | 'all',
): Promise<Ref[]> {
  if (names.length === 0) return [];
  const patterns = names === 'all' ? [BRANCHES] : names.map((name) => BRANCHES + name);
  return readRefs(path, BRANCHES, [`--merged=${BRANCHES}${into}`, ...patterns]);
}

/**
 * Returns the ref that conflicts with a new one: itself, one that is a prefix of its path, or one below it.
 */
export async function obstacleOf(path: string, folder: string, name: string): Promise<string | null> {
  const parts = name.split('/');
  const above = parts.slice(1).map((_, index) => folder + parts.slice(0, index + 1).join('/'));
  // The backslash makes it a pattern, which does not match folders.
  const patterns = [...above.map((ref) => `\\${ref}`), folder + name];
  const [found] = await readRefs(path, folder, ['--count=1', ...patterns]);
  return found?.name ?? null;
}

/** Reads the commits of ids, with one process; omits other objects. @throws 503 if some are lost */
export async function commitsById(path: string, ids: readonly string[]): Promise<Map<string, Commit>> {
  if (ids.length === 0) return new Map();
  const read = readCommits(path, ['--no-walk=unsorted', '--stdin'], { input: ids.join('\n') });
  const commits = await read.catch((error: unknown) => {
    throw error instanceof GitFailure && error.reason === 'exit'
      ? new RepositoryDamaged(path, error.stderr)
      : error;
  });
  return new Map(commits.map((commit) => [commit.id, commit]));
}

/** Names of refs contain neither blanks nor line ends. */
async function readRefs(path: string, folder: string, args: readonly string[]): Promise<Ref[]> {
  const output = await git(path, ['for-each-ref', '--format=%(objectname) %(refname)', ...args]);
  const lines = output.toString('utf8').split('\n');
  return lines.filter(Boolean).map((line) => {
    const at = line.indexOf(' ');
    return { id: line.slice(0, at), name: line.slice(at + 1 + folder.length) };
  });
}
