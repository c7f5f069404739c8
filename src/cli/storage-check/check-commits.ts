import type pg from 'pg';
import { objectIds } from '#core/repositories/git/object-ids.js';

/** Commits asked for in one call of git. */
const BATCH = 5_000;

const NAMED = `select k.sha, k.is_missing as "isMissing" from kept_commits k
  join repositories r on r.owner_type = 'Project' and r.owner_id = k.project_id and r.kind = 'code'
  where r.id = $1 and k.sha > $2 order by k.sha limit ${BATCH}`;

/** Commits that the database names and a repository lacks. */
export interface MissingCommits {
  /** Were there, and kept: something has been lost since. */
  readonly lost: readonly string[];
  /** Were not there when they were to be kept: lost before, or never brought along by an import. */
  readonly absent: readonly string[];
}

/** Asks git for every commit that is to be kept in a repository. */
export async function missingCommits(client: pg.Client, id: number, path: string): Promise<MissingCommits> {
  const missing = { lost: [] as string[], absent: [] as string[] };
  for (let last = ''; ;) {
    const { rows } = await client.query<{ sha: string; isMissing: boolean }>(NAMED, [id, last]);
    const found = await objectIds(
      path,
      rows.map(({ sha }) => sha),
    );
    for (const [index, { sha, isMissing }] of rows.entries())
      if (found[index] === null) missing[isMissing ? 'absent' : 'lost'].push(sha);
    const next = rows.at(-1);
    if (!next || rows.length < BATCH) return missing;
    last = next.sha;
  }
}
