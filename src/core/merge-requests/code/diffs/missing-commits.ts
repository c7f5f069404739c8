import { notFound } from '#kernel/http/errors.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';

/** Messages of git about missing commits. */
const MISSING = /bad object|bad revision|not a valid object name|unable to read|invalid object/i;

/**
 * Returns the code that was read. An imported merge request may name commits that were not imported.
 * @throws 404 if the repository lacks its commits: an empty list would mean that nothing has changed
 */
export async function orCommitNotFound<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isMissing = error instanceof GitFailure && error.reason === 'exit' && MISSING.test(error.stderr);
    throw isMissing ? notFound('Commit') : error;
  }
}
