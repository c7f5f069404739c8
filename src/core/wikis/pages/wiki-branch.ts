import { GitFailure } from '#core/repositories/git/git-failure.js';
import { gitText } from '#core/repositories/git/git.js';
import { peel } from '#core/repositories/git/resolve.js';

/** A branch of a wiki with its commit. */
export interface WikiBranch {
  /** Full name of the ref. */
  readonly ref: string;
  /** Its commit; null before the first. */
  readonly commit: string | null;
}

/**
 * Reads a branch by its full name; default: the branch of HEAD, which contains the pages. @throws GitFailure
 * if HEAD names none
 */
export async function wikiBranch(repositoryPath: string, wanted?: string): Promise<WikiBranch> {
  const ref = wanted ?? (await gitText(repositoryPath, ['symbolic-ref', 'HEAD']));
  if (!ref.startsWith('refs/heads/'))
    throw new GitFailure('symbolic-ref', 'exit', 0, 'HEAD does not point to a branch');
  return { ref, commit: await peel(repositoryPath, ref) };
}
