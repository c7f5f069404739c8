import { GitFailure } from '#core/repositories/git/git-failure.js';
import { gitText } from '#core/repositories/git/git.js';

/** About 12,800 commits: a commit with more of them after it is too old for their list to help. */
const MAX_BYTES = 512 * 1024;

/**
 * Returns the commits of merge requests that came after a commit, from it on to their heads, and the commit itself. Only the
 * commit itself if there are too many.
 */
export async function withLaterCommits(path: string, id: string): Promise<string[]> {
  const args = ['rev-list', '--ancestry-path', '--glob=refs/merge-requests/*/head', `^${id}`, '--'];
  try {
    const text = await gitText(path, args, { maxBytes: MAX_BYTES });
    return [id, ...text.split('\n').filter((line) => line !== '')];
  } catch (error) {
    if (error instanceof GitFailure) return [id];
    throw error;
  }
}
