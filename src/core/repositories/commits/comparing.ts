import { gitText } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import type { Commit } from '../git/commit-log.js';
import { readDiff, type Diff } from './diff/read-diff.js';
import { readNewest } from './or-fewer.js';

/** Limit of commits in a comparison: the newest ones. */
const MAX_COMMITS = 1_000;

/** Commits and diffs between two commits. */
export interface Comparison extends Diff {
  /** Oldest first. */
  readonly commits: readonly Commit[];
}

/** Options of a comparison. */
export interface ComparisonOptions {
  readonly straight: boolean;
  readonly unidiff: boolean;
}

/** Compares two commits (full ids): directly, or from their merge base. */
export async function compare(
  path: string,
  from: string,
  to: string,
  { straight, unidiff }: ComparisonOptions,
): Promise<Comparison> {
  const [{ commits, isCut: isShort }, base] = await Promise.all([
    readNewest(path, MAX_COMMITS + 1, [`${from}..${to}`, '--']),
    straight ? from : findMergeBase(path, [from, to]),
  ]);
  // Unrelated histories are compared directly.
  const { files, isCut } = await readDiff(path, base ?? from, to, unidiff);
  const shown = commits.slice(0, MAX_COMMITS).reverse();
  return { commits: shown, files, isCut: isCut || isShort || commits.length > MAX_COMMITS };
}

/** Returns the merge base of commits (full ids), or null. */
export async function findMergeBase(
  path: string,
  ids: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  try {
    return (await gitText(path, ['merge-base', ...ids], { env })).split('\n', 1)[0] ?? null;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1) return null;
    throw error;
  }
}
