import { GitFailure } from '#core/repositories/git/git-failure.js';
import { gitText } from '#core/repositories/git/git.js';
import { peel } from '#core/repositories/git/resolve.js';

/** A branch of a wiki, and what it names. */
export interface WikiBranch {
  /** The full name of the ref. */
  readonly ref: string;
  /** Its commit; null before the first. */
  readonly commit: string | null;
}

/** A branch by its full name; default: that of the pages, which HEAD names. @throws GitFailure where HEAD names none */
export async function wikiBranch(repositoryPath: string, wanted?: string): Promise<WikiBranch> {
  const ref = wanted ?? (await gitText(repositoryPath, ['symbolic-ref', 'HEAD']));
  if (!ref.startsWith('refs/heads/')) throw new GitFailure('symbolic-ref', 'exit', 0, 'HEAD names no branch');
  return { ref, commit: await peel(repositoryPath, ref) };
}
