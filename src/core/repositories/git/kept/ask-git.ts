import { gitOwner } from '../processes/git-owner.js';
import { takePlace } from '../processes/git-places.js';
import type { KeptObject, KeptQuestion } from './kept-answer.js';
import { KeptGitLost } from './kept-git.js';
import { keptGits } from './kept-gits.js';

/**
 * The objects of some names, by a process that is kept for the repository; null for what is missing. Holds a place of its kind meanwhile, as any
 * other call of git. Null for all when they are to be asked of a process of their own: none can be kept now, an answer is large, or git has more
 * to say than an answer. @throws PoolBusy, GitFailure when git does not answer
 */
export async function askGit(
  repositoryPath: string,
  questions: readonly KeptQuestion[],
): Promise<(KeptObject | null)[] | null> {
  const { isRequest, signal } = gitOwner();
  const release = await takePlace(isRequest ? 'read' : 'background', repositoryPath, signal);
  try {
    const git = await keptGits.of(repositoryPath);
    signal?.throwIfAborted();
    return git && (await git.ask(questions, signal));
  } catch (error) {
    if (error instanceof KeptGitLost) return null;
    throw error;
  } finally {
    release();
  }
}
