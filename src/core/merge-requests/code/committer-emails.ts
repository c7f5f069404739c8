import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';

/** Commits that are looked at, the newest: a branch of more is no work of its own. */
const MAX_COMMITS = 10_000;
/** Those commits with addresses as long as they may be. */
export const MAX_COMMITTER_BYTES = MAX_COMMITS * 256;

const ARGS = ['log', '--no-merges', '--format=%ce', `--max-count=${MAX_COMMITS}`];

/** Addresses of those who have committed what `to` has and `from` has not (full ids), in small letters; null where that cannot be told. */
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
