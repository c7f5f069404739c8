import { GitFailure } from '#core/repositories/git/git-failure.js';

/** How git says that a commit is not there. */
const MISSING = /bad object|bad revision|not a valid object name|unable to read|invalid object/i;

/**
 * What is read of the code, or `nothing` where the repository lacks commits of it: of merge requests that were brought over from another
 * instance it has what branches and tags reach.
 */
export async function orNothing<T>(read: Promise<T>, nothing: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isMissing = error instanceof GitFailure && error.reason === 'exit' && MISSING.test(error.stderr);
    if (isMissing) return nothing;
    throw error;
  }
}
