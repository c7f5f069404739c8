import { GitFailure } from '#core/repositories/git/git-failure.js';
import { gitText } from '#core/repositories/git/git.js';
import { withScratchObjects } from '#core/repositories/objects/scratch-objects.js';

/** Exit codes of a failed merge: conflicts; unrelated histories. */
const REFUSED = [1, 128];

/** Merges two commits (full ids) to a tree, written to the directory in `env`; null if they conflict. */
export async function mergedTree(
  path: string,
  ours: string,
  theirs: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  try {
    const args = ['merge-tree', '--write-tree', '--no-messages', ours, theirs];
    return (await gitText(path, args, { env })).split('\n', 1)[0] ?? null;
  } catch (error) {
    const isRefused =
      error instanceof GitFailure && error.reason === 'exit' && REFUSED.includes(error.exitCode ?? 0);
    if (isRefused && (error.exitCode === 1 || /unrelated histories/.test(error.stderr))) return null;
    throw error;
  }
}

/** Returns whether two commits can be merged, without writing to the repository. */
export const canBeMerged = (
  path: string,
  ours: string,
  theirs: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> =>
  withScratchObjects(path, env, async (scratch) => (await mergedTree(path, ours, theirs, scratch)) !== null);
