import { git } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { RepositoryDamaged } from '../git/damage/repository-damaged.js';
import { readCommits, type Commit } from '../git/commit-log.js';

/** A branch or tag with the object that it names. */
export interface Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly name: string;
  readonly id: string;
}

/** Folders of branches and tags. */
export const BRANCHES = 'refs/heads/';
export const TAGS = 'refs/tags/';

/** All branches or all tags in an order of `git for-each-ref`, such as `-committerdate`; equal ones by name. */
export async function listRefs(
  path: string,
  folder: typeof BRANCHES | typeof TAGS,
  order = 'refname',
): Promise<Ref[]> {
  return readRefs(path, folder, [`--sort=${order}`, folder]);
}

/** Those of some branches or tags that exist, by name. The names must be valid. */
export async function findRefs(
  path: string,
  folder: typeof BRANCHES | typeof TAGS,
  names: readonly string[],
): Promise<Ref[]> {
  if (names.length === 0) return [];
  const wanted = new Set(names);
  // What git takes for patterns here are names of folders too.
  const found = await readRefs(
    path,
    folder,
    names.map((name) => folder + name),
  );
  return found.filter(({ name }) => wanted.has(name));
}

/** Names of those branches, or of all, whose commits a branch has; it must exist. */
export async function mergedBranches(
  path: string,
  into: string,
  names: readonly string[] | 'all',
): Promise<Ref[]> {
  if (names.length === 0) return [];
  const patterns = names === 'all' ? [BRANCHES] : names.map((name) => BRANCHES + name);
  return readRefs(path, BRANCHES, [`--merged=${BRANCHES}${into}`, ...patterns]);
}

/** The ref that leaves no room for a new one: itself, one that its path leads through, or one below it. */
export async function obstacleOf(path: string, folder: string, name: string): Promise<string | null> {
  const parts = name.split('/');
  const above = parts.slice(1).map((_, index) => folder + parts.slice(0, index + 1).join('/'));
  // The backslash makes a pattern of it, which matches no folder.
  const patterns = [...above.map((ref) => `\\${ref}`), folder + name];
  const [found] = await readRefs(path, folder, ['--count=1', ...patterns]);
  return found?.name ?? null;
}

/** Commits that refs name, by their ids, in one process; ids of anything else are left out. @throws 503 for those that are lost */
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

/** No name of a ref holds a blank or a line end. */
async function readRefs(path: string, folder: string, args: readonly string[]): Promise<Ref[]> {
  const output = await git(path, ['for-each-ref', '--format=%(objectname) %(refname)', ...args]);
  const lines = output.toString('utf8').split('\n');
  return lines.filter(Boolean).map((line) => {
    const at = line.indexOf(' ');
    return { id: line.slice(0, at), name: line.slice(at + 1 + folder.length) };
  });
}
