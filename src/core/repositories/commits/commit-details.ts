import { git } from '../git/git.js';
import type { CommitStatsRecord } from './commit-detail.record.js';

/** Facts of a commit that need more work than its record. */
export interface CommitDetails {
  readonly stats?: CommitStatsRecord;
  readonly trailers?: Record<string, string[]>;
}

/** Selects details to read. */
export interface WantedDetails {
  readonly stats?: boolean | undefined;
  readonly trailers?: boolean | undefined;
}

const FORMAT = '%x00%H%x00%(trailers:only=true,unfold=true)%x00';

/** Reads details of commits (full ids) with one process; merges are compared with their first parent. */
export async function readCommitDetails(
  repositoryPath: string,
  ids: readonly string[],
  wanted: WantedDetails,
): Promise<ReadonlyMap<string, CommitDetails>> {
  if (ids.length === 0 || !(wanted.stats || wanted.trailers)) return new Map();
  const diff = wanted.stats ? ['--shortstat', '--diff-merges=first-parent', '--no-ext-diff'] : ['--no-patch'];
  const args = ['log', '--no-walk=unsorted', '--stdin', `--format=${FORMAT}`, '--no-textconv', ...diff];
  const output = await git(repositoryPath, args, { input: `${ids.join('\n')}\n` });
  const parts = output.toString('utf8').split('\0').slice(1);
  const details = new Map<string, CommitDetails>();
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [id = '', trailers = '', stats = ''] = parts.slice(at, at + 3);
    details.set(id.trim(), {
      ...(wanted.stats ? { stats: readStats(stats) } : {}),
      ...(wanted.trailers ? { trailers: readTrailers(trailers) } : {}),
    });
  }
  return details;
}

function readStats(text: string): CommitStatsRecord {
  const additions = Number(/(\d+) insertion/.exec(text)?.[1] ?? 0);
  const deletions = Number(/(\d+) deletion/.exec(text)?.[1] ?? 0);
  return { additions, deletions, total: additions + deletions };
}

function readTrailers(text: string): Record<string, string[]> {
  const trailers = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    // Not a copy for each value: a message may have very many of one name.
    const values = trailers.get(name);
    if (values) values.push(value);
    else trailers.set(name, [value]);
  }
  return Object.fromEntries(trailers);
}
