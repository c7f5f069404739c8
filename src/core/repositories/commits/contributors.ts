import { git } from '../git/git.js';
import type { ContributorRecord, ListContributorsParams } from './compare.record.js';

/** Time limit in milliseconds of a walk over the whole history. */
const TIMEOUT_MS = 30_000;

/** Counts the commits reachable from a commit (full id) by author email, without merges. */
export async function readContributors(path: string, id: string): Promise<ContributorRecord[]> {
  const output = await git(path, ['shortlog', '-s', '-n', '-e', '--no-merges', id, '--'], {
    timeoutMs: TIMEOUT_MS,
  });
  const byEmail = new Map<string, ContributorRecord>();
  for (const line of output.toString('utf8').split('\n')) {
    const [, count, name = '', email = ''] = /^ *(\d+)\t(.*) <(.*)>$/.exec(line) ?? [];
    if (count === undefined) continue;
    const known = byEmail.get(email);
    // Names come by number of commits, so the most frequent one is kept.
    if (known) known.commits += Number(count);
    else byEmail.set(email, { name, email, commits: Number(count), additions: 0, deletions: 0 });
  }
  return [...byEmail.values()];
}

/** Sorts contributors by the given order. */
export function sortContributors(
  contributors: readonly ContributorRecord[],
  { order_by: key = 'commits', sort = 'asc' }: ListContributorsParams,
): ContributorRecord[] {
  const sorted = contributors.toSorted((a, b) =>
    key === 'commits' ? a.commits - b.commits : a[key].localeCompare(b[key], 'en'),
  );
  return sort === 'asc' ? sorted : sorted.reverse();
}
