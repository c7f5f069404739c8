import { git, type GitOptions } from './git.js';
import { requireWhole } from './damage/require-whole.js';
import { askGit } from './kept/ask-git.js';
import { isoTime } from '../objects/iso-time.js';
import { parseCommit } from './kept/parse-commit.js';

/** A commit as read from git. */
export interface Commit {
  readonly id: string;
  readonly parentIds: readonly string[];
  readonly message: string;
  readonly title: string;
  readonly authorName: string;
  readonly authorEmail: string;
  /** With its original time zone, as `isoTime` formats it. */
  readonly authoredDate: string;
  readonly committerName: string;
  readonly committerEmail: string;
  readonly committedDate: string;
}

const PLACEHOLDERS = ['%H', '%P', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B'];
const FORMAT = PLACEHOLDERS.join('%x00');
const PARTS = PLACEHOLDERS.length;

/**
 * Reads commits with `git log`. `args` follow the format options: put `--end-of-options` before revisions
 * from users.
 */
export async function readCommits(
  repositoryPath: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Commit[]> {
  const output = await git(
    repositoryPath,
    ['log', `--format=${FORMAT}`, '--date=raw', '-z', ...args],
    options,
  );
  // Fields cannot contain a NUL and each ends with one, so their number delimits the commits.
  const parts = output.toString('utf8').split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + PARTS <= parts.length; at += PARTS)
    commits.push(toCommit(parts.slice(at, at + PARTS)));
  return commits;
}

/** Counts the commits of `git log`, up to `horizon`; `args` as for `readCommits`. */
export async function countCommits(
  repositoryPath: string,
  args: readonly string[],
  horizon: number,
  options: GitOptions = {},
): Promise<number> {
  const counting = ['rev-list', '--count', `--max-count=${horizon}`, ...args];
  return Number((await git(repositoryPath, counting, options)).toString('utf8'));
}

/**
 * Finds the commit of a revision, or null. `revision` must be a full id or the full name of a ref. @throws
 * 503 if the commit is lost
 */
export async function findCommit(repositoryPath: string, revision: string): Promise<Commit | null> {
  const kept = await askGit(repositoryPath, [{ command: 'contents', name: `${revision}^{commit}` }]);
  const [object] = kept ?? [];
  const parsed = object && parseCommit(object);
  if (parsed) return parsed;
  if (object === null) {
    await requireWhole(repositoryPath, [revision]);
    return null;
  }
  const found = await readCommits(
    repositoryPath,
    ['-1', '--no-walk', '--ignore-missing', '--end-of-options', revision, '--'],
    { okCodes: [0, 128] },
  );
  if (!found[0]) await requireWhole(repositoryPath, [revision]);
  return found[0] ?? null;
}

function toCommit(parts: readonly string[]): Commit {
  const [id = '', parents = '', authorName = '', authorEmail = '', authoredDate = '', ...rest] = parts;
  const [committerName = '', committerEmail = '', committedDate = '', message = ''] = rest;
  return {
    id,
    parentIds: parents === '' ? [] : parents.split(' '),
    message,
    title: message.split('\n', 1)[0] ?? '',
    authorName,
    authorEmail,
    authoredDate: isoTime(authoredDate),
    committerName,
    committerEmail,
    committedDate: isoTime(committedDate),
  };
}
