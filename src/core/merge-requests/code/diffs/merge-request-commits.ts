import { countCommits, readCommits, type Commit } from '#core/repositories/git/commit-log.js';
import type { MergeRequestCode } from './merge-request-code.finder.js';

/** Limit of commits without pagination: the newest. */
export const MAX_COMMITS = 1_000;

/** Returns the commits of a merge request, newest first. */
export const commitsOf = (
  { path, env, from, to }: MergeRequestCode,
  limit: number,
  offset: number,
): Promise<Commit[]> =>
  readCommits(path, [`--max-count=${limit}`, `--skip=${offset}`, to, `^${from}`, '--'], { env });

/** Counts these commits, up to `horizon`. */
export const countCommitsOf = ({ path, env, from, to }: MergeRequestCode, horizon: number): Promise<number> =>
  countCommits(path, [to, `^${from}`, '--'], horizon, { env });
