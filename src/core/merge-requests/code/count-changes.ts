import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';

/** Limit of changed files counted. */
const MAX_COUNTED = 1_000;
/** Above the length of this many paths. */
const MAX_BYTES = 2 * MAX_COUNTED * 4_100;

const ARGS = ['diff-tree', '-r', '-M', '--name-only', '-z', '--no-commit-id', '--no-ext-diff'];

/**
 * Counts the files that differ between two commits (full ids), as merge requests show it: "1000+" above the
 * limit, null for none.
 */
export async function countChanges(
  path: string,
  from: string,
  to: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  try {
    const names = await git(path, [...ARGS, from, to, '--'], { env, maxBytes: MAX_BYTES });
    const count = names.reduce((sum, byte) => (byte === 0 ? sum + 1 : sum), 0);
    if (count > MAX_COUNTED) return `${MAX_COUNTED}+`;
    return count === 0 ? null : String(count);
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'too-large' || error.reason === 'timeout'))
      return `${MAX_COUNTED}+`;
    throw error;
  }
}
