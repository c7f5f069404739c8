import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';

/** Commits whose messages are read: the newest. */
const MAX_COMMITS = 100;
/** Those commits with messages that somebody has written. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What the newest commits say that `to` has and `from` has not (full ids); nothing where they say too much. */
export async function commitMessages(
  path: string,
  from: string,
  to: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const args = ['log', '--format=%B', `--max-count=${MAX_COMMITS}`, to, `^${from}`, '--'];
  try {
    return (await git(path, args, { env, maxBytes: MAX_BYTES })).toString('utf8');
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'too-large' || error.reason === 'timeout'))
      return '';
    throw error;
  }
}
