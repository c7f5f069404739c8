import { countCommits, readCommits, type Commit } from '#core/repositories/git/commit-log.js';
import type { MergeRequestCode } from './merge-request-code.finder.js';

/** Commits that are told of where no page is asked for: the newest. */
export const MAX_COMMITS = 1_000;

/** Commits that a merge request brings, the newest first. */
export const commitsOf = (
  { path, env, from, to }: MergeRequestCode,
  limit: number,
  offset: number,
): Promise<Commit[]> =>
  readCommits(path, [`--max-count=${limit}`, `--skip=${offset}`, to, `^${from}`, '--'], { env });

/** How many these are, up to `horizon`. */
export const countCommitsOf = ({ path, env, from, to }: MergeRequestCode, horizon: number): Promise<number> =>
  countCommits(path, [to, `^${from}`, '--'], horizon, { env });
