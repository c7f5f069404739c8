import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { CopyJournal } from '#kernel/database/copy/copy-journal.js';
import { loadTables, type CopyProgress } from '#kernel/database/copy/load-tables.js';
import { makeSchema, unknownMigrations } from '#kernel/database/copy/make-schema.js';
import { digestOf } from '#kernel/database/copy/table-digest.js';
import {
  columnList,
  quoted,
  sequencesOf,
  tablesOf,
  valuesOf,
  type Table,
} from '#kernel/database/copy/tables.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { CommandError } from '../framework/output.js';
import { additionsOf } from './additions.js';

/** Result of copying. */
export interface Copied {
  readonly tables: number;
  readonly rows: bigint;
  /** What operators added to the source: it is not part of the copy. */
  readonly additions: readonly string[];
}

/** Nothing of an interrupted upgrade stays: it is only begun. */
const UPGRADE = { what: 'The upgrade', command: 'npm run cli -- database upgrade', facts: {} };

const HAS_SCHEMA = `select to_regclass('schema_migrations') is not null as "hasSchema"`;

/** Returns the migrations of the schema. @throws CommandError if this release lacks one of them */
export async function knownMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ hasSchema: boolean }>(HAS_SCHEMA);
  // An interrupted first start leaves an empty database.
  if (rows[0]?.hasSchema !== true) return [];
  const migrations = await valuesOf(client, 'schema_migrations', 'name');
  const unknown = await unknownMigrations(migrations);
  if (unknown.length > 0)
    throw new CommandError(
      `The schema has migrations that this release does not know (${unknown.join(', ')}): upgrade with the release that applied them or a newer one. ` +
        'A schema from before 1.0.0-rc.1 must first be migrated by that release, with its own PostgreSQL.',
    );
  return migrations;
}

/** Copies all tables and sequences from a snapshot to an empty database with the same migrations, and compares the content of every table. */
export async function copyDatabase(
  source: pg.Client,
  targetUrl: string,
  migrations: readonly string[],
  progress: CopyProgress,
): Promise<Copied> {
  const tables = await tablesOf(source);
  const sequences = await sequencesOf(source);
  return withClient({ connectionString: utcUrl(targetUrl) }, async (target) => {
    const journal = await CopyJournal.open(target);
    await journal.begin(UPGRADE);
    await makeSchema(targetUrl, migrations);
    await loadTables(target, journal, {
      tables,
      sequences,
      load: (_client, { name, columns }) => {
        const copy = `copy ${quoted(name)} (${columnList(columns)})`;
        return pipeline(
          source.query(copyTo(`${copy} to stdout`)),
          target.query(copyFrom(`${copy} from stdin`)),
        );
      },
      progress,
    });
    await journal.end();
    progress.onPhase('tables compared', tables.length);
    const made = await tablesOf(target);
    requireSame('The columns of the tables', shapeOf(made), shapeOf(tables));
    requireSame('The sequences', await sequencesOf(target), sequences);
    let rows = 0n;
    for (const table of tables) {
      const [before, after] = await Promise.all([digestOf(source, table), digestOf(target, table)]);
      requireSame(`The rows of ${table.name}`, after, before);
      rows += BigInt(before.rows);
      progress.onStep();
    }
    // Otherwise a large checkpoint could exceed the time limit for stopping the server.
    await target.query('checkpoint');
    return { tables: tables.length, rows, additions: await additionsOf(source, target) };
  });
}

const shapeOf = (tables: readonly Table[]): Record<string, string> =>
  Object.fromEntries(tables.map(({ name, columns }) => [name, [...columns].sort().join()]));

function requireSame(what: string, found: object, expected: object): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new CommandError(
      `${what} differ between the old database and its copy: the upgrade was cancelled, and the old folder is still in place`,
    );
}
