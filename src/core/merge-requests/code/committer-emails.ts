import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';

/** Limit of commits examined, newest first: a longer branch is not the work of one merge request. */
const MAX_COMMITS = 10_000;
/** Limit of bytes: this many commits with addresses of maximum length. */
export const MAX_COMMITTER_BYTES = MAX_COMMITS * 256;

const ARGS = ['log', '--no-merges', '--format=%ce', `--max-count=${MAX_COMMITS}`];

/**
 * Returns the email addresses of the committers of commits in `to` but not in `from` (full ids), in lower
 * case; null if unknown.
 */
export async function committerEmails(
  path: string,
  from: string,
  to: string,
  env: Readonly<Record<string, string>>,
): Promise<string[] | null> {
  try {
    const output = await git(path, [...ARGS, to, `^${from}`, '--'], { env, maxBytes: MAX_COMMITTER_BYTES });
    const lines = output.toString('utf8').toLowerCase().split('\n');
    return [...new Set(lines.filter((line) => line !== ''))].sort();
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'too-large' || error.reason === 'timeout'))
      return null;
    throw error;
  }
}
