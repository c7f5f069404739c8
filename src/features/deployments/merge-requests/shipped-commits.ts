import { GitFailure } from '#core/repositories/git/git-failure.js';
import { gitText } from '#core/repositories/git/git.js';

/** From what was deployed before to what is deployed now. */
export interface CommitRange {
  readonly from: string;
  readonly to: string;
}

/** Commits of one deployment that are looked at, the newest first. */
const MAX_COMMITS = 500_000;
const TIMEOUT_MS = 300_000;

const PICKED = /\(cherry picked from commit ([0-9a-f]{40})\)/g;

const rangeArgs = ({ from, to }: CommitRange): string[] => [
  `--max-count=${String(MAX_COMMITS)}`,
  to,
  `^${from}`,
  '--',
];

/** The commits that a deployment brings; none where one of the two ends is gone. */
export async function shippedCommits(path: string, range: CommitRange): Promise<string[]> {
  const text = await lines(path, ['rev-list', ...rangeArgs(range)]);
  return text.split('\n').filter((line) => line !== '');
}

/** The commits of which they are picked, as the messages of picked ones say. */
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
