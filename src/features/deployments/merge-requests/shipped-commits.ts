import { GitFailure } from '#core/repositories/git/git-failure.js';
import { gitText } from '#core/repositories/git/git.js';

/** From the previously deployed commit to the present one. */
export interface CommitRange {
  readonly from: string;
  readonly to: string;
}

/** Limit of commits of a deployment, newest first. */
const MAX_COMMITS = 500_000;
const TIMEOUT_MS = 300_000;

const PICKED = /\(cherry picked from commit ([0-9a-f]{40})\)/g;

const rangeArgs = ({ from, to }: CommitRange): string[] => [
  `--max-count=${String(MAX_COMMITS)}`,
  to,
  `^${from}`,
  '--',
];

/** Returns the commits that a deployment ships; empty if one end of the range is missing. */
export async function shippedCommits(path: string, range: CommitRange): Promise<string[]> {
  const text = await lines(path, ['rev-list', ...rangeArgs(range)]);
  return text.split('\n').filter((line) => line !== '');
}

/** Returns the original commits of cherry-picks, as named in their messages. */
export async function pickedCommits(path: string, range: CommitRange): Promise<string[]> {
  const grep = ['-E', '--grep=\\(cherry picked from commit [0-9a-f]{40}\\)', '--format=%B'];
  const text = await lines(path, ['log', ...grep, ...rangeArgs(range)]);
  return [...new Set([...text.matchAll(PICKED)].map(([, sha = '']) => sha))];
}

async function lines(path: string, args: readonly string[]): Promise<string> {
  try {
    return await gitText(path, args, { kind: 'long', timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'exit' || error.reason === 'too-large')) return '';
    throw error;
  }
}
