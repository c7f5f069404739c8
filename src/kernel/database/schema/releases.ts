import semver from 'semver';
import { RELEASE } from '#kernel/config/release.js';
import { StartProblem } from '#kernel/config/start-problem.js';

/**
 * The oldest release that runs on the schema of this one: alongside it during an upgrade, and after a
 * downgrade. A migration that removes what a release reads or writes raises it to the release after that.
 */
const OLDEST_BESIDE = '1.0.0-rc.1';

/** Runs one statement on an existing connection. */
export type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

interface ReleaseRow {
  readonly version: string;
  readonly oldest_beside: string;
}

const IS_THERE = `select to_regclass('releases') is not null as "isThere"`;
const NEWEST = 'select version, oldest_beside from releases';
const NOTE = `insert into releases (version, oldest_beside) values ($1, $2)
  on conflict (version) do update set oldest_beside = excluded.oldest_beside where releases.oldest_beside <> excluded.oldest_beside`;

/** Returns why this release cannot run on the current schema; null if it can. */
export async function tooNewSchema(ask: Ask, release = RELEASE): Promise<string | null> {
  const [table] = await ask<{ isThere: boolean }>(IS_THERE);
  if (table?.isThere !== true) return null;
  const rows = await ask<ReleaseRow>(NEWEST);
  const closed = rows.find(({ oldest_beside: oldest }) => semver.lt(release, oldest));
  return closed
    ? `The schema is that of release ${closed.version}, which runs beside ${closed.oldest_beside} and newer: this is ${release}.`
    : null;
}

/** Whether a release after this one has migrated the schema. */
export async function isOfLaterRelease(ask: Ask, release = RELEASE): Promise<boolean> {
  const rows = await ask<ReleaseRow>(NEWEST);
  return rows.some(({ version }) => semver.gt(version, release));
}

/** @throws StartProblem if the schema is too new for this release */
export async function refuseNewerSchema(ask: Ask): Promise<void> {
  const problem = await tooNewSchema(ask);
  if (problem !== null)
    throw new StartProblem(`${problem} Start that release, or restore a backup from before it.`);
}

/** Records that this release has migrated the schema. */
export async function noteRelease(ask: Ask): Promise<void> {
  await ask(NOTE, [RELEASE, OLDEST_BESIDE]);
}
