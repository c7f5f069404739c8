import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';

/** Commits whose messages are read: the newest. */
export const MAX_MESSAGES = 100;
/** Those commits with messages that somebody has written. */
export const MAX_MESSAGES_BYTES = 4 * 1024 * 1024;

/** What the newest commits say that `to` has and `from` has not (full ids); nothing where they say too much. */
export async function commitMessages(
  path: string,
  from: string,
  to: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const args = ['log', '--format=%B', `--max-count=${MAX_MESSAGES}`, to, `^${from}`, '--'];
  try {
    return (await git(path, args, { env, maxBytes: MAX_MESSAGES_BYTES })).toString('utf8');
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'too-large' || error.reason === 'timeout'))
      return '';
    throw error;
  }
}
