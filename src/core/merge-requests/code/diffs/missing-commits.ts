import { notFound } from '#kernel/http/errors.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';

/** How git says that a commit is not there. */
const MISSING = /bad object|bad revision|not a valid object name|unable to read|invalid object/i;

/**
 * What is read of the code. A merge request that was brought over from another instance may name commits that have not come along.
 * @throws 404 where the repository lacks commits of it: an empty list would say that there had been no changes
 */
export async function orCommitNotFound<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isMissing = error instanceof GitFailure && error.reason === 'exit' && MISSING.test(error.stderr);
    throw isMissing ? notFound('Commit') : error;
  }
}
