import { inSpan } from '#kernel/log/request-context.js';
import { gitOwner } from '../processes/git-owner.js';
import { takeSlot } from '../processes/git-slots.js';
import type { KeptObject, KeptQuestion } from './kept-answer.js';
import { KeptGitLost } from './kept-git.js';
import { keptGits } from './kept-gits.js';

/**
 * Reads objects with a long-lived process of the repository; null for a missing object. Occupies a slot of its
 * kind until then, like any git call. Returns null if a separate process must be used: no process can be kept,
 * an answer is large, or git prints something unexpected. @throws PoolBusy, GitFailure if git does not
 * respond
 */
export async function askGit(
  repositoryPath: string,
  questions: readonly KeptQuestion[],
): Promise<(KeptObject | null)[] | null> {
  const { isRequest, signal } = gitOwner();
  const { release } = await takeSlot(isRequest ? 'read' : 'background', repositoryPath, signal);
  try {
    const git = await keptGits.of(repositoryPath);
    signal?.throwIfAborted();
    const attributes = { 'forgeplane.questions': questions.length };
    return git && (await inSpan('git cat-file', 'internal', attributes, () => git.ask(questions, signal)));
  } catch (error) {
    if (error instanceof KeptGitLost) return null;
    throw error;
  } finally {
    release();
  }
}
