import { countCommits, readCommits, type Commit } from '#core/repositories/git/commit-log.js';
import { orFewer, readNewest } from '#core/repositories/commits/or-fewer.js';
import type { MergeRequestCode } from './merge-request-code.finder.js';

/** Limit of commits without pagination: the newest. */
const MAX_COMMITS = 1_000;

/** Returns a page of the commits of a merge request, newest first. @throws 400 if their messages exceed the limit of a response */
export const commitsOf = (
  { path, env, from, to }: MergeRequestCode,
  limit: number,
  offset: number,
): Promise<Commit[]> =>
  readCommits(path, [`--max-count=${limit}`, `--skip=${offset}`, to, `^${from}`, '--'], { env }).catch(
    orFewer,
  );

/** Returns as many of the newest commits as an answer can hold. */
export const newestOf = async ({ path, env, from, to }: MergeRequestCode): Promise<Commit[]> =>
  (await readNewest(path, MAX_COMMITS, [to, `^${from}`, '--'], { env })).commits;

/** Counts these commits, up to `horizon`. */
export const countCommitsOf = ({ path, env, from, to }: MergeRequestCode, horizon: number): Promise<number> =>
  countCommits(path, [to, `^${from}`, '--'], horizon, { env });
