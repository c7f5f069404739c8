import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { loadTables } from '#kernel/database/copy/load-tables.js';
import { makeSchema, unknownMigrations } from '#kernel/database/copy/make-schema.js';
import { columnList, quoted } from '#kernel/database/copy/tables.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { CommandError } from '../framework/output.js';
import type { Backups } from '#features/backups/backups.js';
import type { Manifest } from '#features/backups/manifest.js';

const IS_EMPTY = `select not exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v')) as empty`;

/** @throws CommandError if the database contains anything */
export async function requireEmptyDatabase(url: string): Promise<void> {
  const isEmpty = await withClient({ connectionString: utcUrl(url) }, async (client) => {
    const { rows } = await client.query<{ empty: boolean }>(IS_EMPTY);
    return rows[0]?.empty === true;
  });
  if (!isEmpty) throw new CommandError('The database is not empty: restore into one without tables');
}

/** Creates the schema of the backup. @throws CommandError if this release does not know it */
export async function makeSchemaOf({ migrations, release }: Manifest, url: string): Promise<void> {
  const unknown = await unknownMigrations(migrations);
  if (unknown.length > 0)
    throw new CommandError(
      `The backup is of release ${release}: restore it with that one (${unknown.join(', ')})`,
    );
  await makeSchema(url, migrations);
}

/** Loads all tables of the backup in one transaction. `beforeCommit` sees the rows. */
export const restoreTables = (
  url: string,
  { tables, sequences }: Manifest,
  backups: Backups,
  beforeCommit: (client: pg.Client) => Promise<void>,
): Promise<void> =>
  loadTables(url, {
    tables,
    sequences,
    load: (client, { name, columns, file }) =>
      backups.read(file, (content) =>
        pipeline(content, client.query(copyFrom(`copy ${quoted(name)} (${columnList(columns)}) from stdin`))),
      ),
    beforeCommit,
  });
