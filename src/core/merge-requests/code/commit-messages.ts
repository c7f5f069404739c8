import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';

/** Limit of commits whose messages are read: the newest. */
export const MAX_MESSAGES = 100;
/** Limit of bytes of these messages. */
export const MAX_MESSAGES_BYTES = 4 * 1024 * 1024;

/** Reads the newest messages of commits in `to` but not in `from` (full ids); empty if they are too long. */
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
