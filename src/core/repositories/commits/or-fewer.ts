import { badRequest } from '#kernel/http/errors.js';
import { readCommits, type Commit } from '../git/commit-log.js';
import { GitFailure } from '../git/git-failure.js';
import type { GitOptions } from '../git/git.js';

const TOO_LARGE = 'The commits of this answer are too large together. Ask for fewer with per_page.';

/** Each attempt reads fewer commits by this factor. */
const FEWER = 8;

/** Whether git has given more than can be read at once. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof GitFailure && error.reason === 'too-large';

/** Turns the failure to read a page of commits. @throws 400 if their messages exceed the limit of a response */
export function orFewer(error: unknown): never {
  throw isTooLarge(error) ? badRequest(TOO_LARGE) : error;
}

/** Reads the newest commits where there are no pages: up to `limit`, fewer if their messages are too large together. */
export async function readNewest(
  path: string,
  limit: number,
  args: readonly string[],
  options: GitOptions = {},
): Promise<{ readonly commits: Commit[]; readonly isCut: boolean }> {
  for (let most = limit; ; most = Math.ceil(most / FEWER)) {
    try {
      const commits = await readCommits(path, [`--max-count=${most}`, ...args], options);
      return { commits, isCut: most < limit };
    } catch (error) {
      if (most === 1 || !isTooLarge(error)) throw error;
    }
  }
}

/**
 * Reads commits in the order of their full ids, as many at once as can be read together. @throws GitFailure
 * `too-large` if one of them alone cannot
 */
export async function* readInPortions(
  path: string,
  ids: readonly string[],
  options: GitOptions = {},
): AsyncGenerator<Commit> {
  let most = ids.length;
  for (let at = 0; at < ids.length;) {
    const input = ids.slice(at, at + most).join('\n');
    try {
      yield* await readCommits(path, ['--no-walk=unsorted', '--stdin'], { ...options, input });
      at += most;
    } catch (error) {
      if (most === 1 || !isTooLarge(error)) throw error;
      most = Math.ceil(most / FEWER);
    }
  }
}
