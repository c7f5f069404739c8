import type pg from 'pg';
import { objectIds } from '#core/repositories/git/object-ids.js';

/** Commits per call of git. */
const BATCH = 5_000;

const NAMED = `select k.sha, k.is_missing as "isMissing" from kept_commits k
  join repositories r on r.owner_type = 'Project' and r.owner_id = k.project_id and r.kind = 'code'
  where r.id = $1 and k.sha > $2 order by k.sha limit ${BATCH}`;

/** Commits referenced in the database that a repository lacks. */
export interface MissingCommits {
  /** Commits that existed when they were marked to be kept: if one is missing, data was lost. */
  readonly lost: readonly string[];
  /** Were missing when they were to be kept: lost earlier, or never imported. */
  readonly absent: readonly string[];
}

/** Asks git for every commit that a repository should keep. */
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
