import { DataSource } from 'typeorm';
import { RELEASE } from '#kernel/config/release.js';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { loadMigrations } from '#kernel/database/migrations.js';
import { commandConfig } from './framework/context.js';
import { withDatabase } from './framework/database.js';
import type { CommandResult } from './framework/output.js';

interface ReleaseRow {
  readonly version: string;
  readonly oldest_beside: string;
}

interface BackfillRow {
  readonly name: string;
  readonly done: number;
  readonly total: number | null;
  readonly error: string | null;
  readonly finished_at: string | null;
}

const IS_THERE = 'select to_regclass($1) is not null as "isThere"';

/**
 * Shows the applied migrations, the pending ones of this release, and the progress of backfills. Changes
 * nothing.
 */
export async function showMigrations(): Promise<CommandResult> {
  return withDatabase(commandConfig(), async ({ url }) => {
    const source = await new DataSource(await dataSourceOptions(DatabaseAddress.direct(url), 1)).initialize();
    try {
      return await describe(source);
    } finally {
      await source.destroy();
    }
  });
}

async function describe(source: DataSource): Promise<CommandResult> {
  const rowsOf = async <Row>(table: string, text: string): Promise<Row[]> => {
    const [found] = await source.query<{ isThere: boolean }[]>(IS_THERE, [table]);
    return found?.isThere === true ? source.query<Row[]>(text) : [];
  };
  const rows = await rowsOf<{ name: string }>(
    'schema_migrations',
    'select name from schema_migrations order by timestamp',
  );
  const applied = rows.map(({ name }) => name);
  const pending = (await loadMigrations()).map(({ name }) => name).filter((name) => !applied.includes(name));
  const releases = await rowsOf<ReleaseRow>(
    'releases',
    'select version, oldest_beside from releases order by first_started_at',
  );
  const backfills = await rowsOf<BackfillRow>(
    'backfills',
    'select name, done, total, error, finished_at from backfills order by started_at, name',
  );
  const lines = [
    `This is release ${RELEASE}.`,
    ...releases.map((one) => `schema of ${one.version}, for ${one.oldest_beside} and newer`),
    ...applied.map((name) => `applied ${name}`),
    ...pending.map((name) => `pending ${name}`),
    ...backfills.map((one) => `back-fill ${one.name}: ${progressOf(one)}`),
  ];
  return { json: { release: RELEASE, releases, applied, pending, backfills }, lines };
}

function progressOf({ done, total, error, finished_at: finished }: BackfillRow): string {
  if (finished !== null) return `finished, ${done} rows`;
  const failed = error === null ? '' : `, last error: ${error}`;
  if (total === null) return `not begun${failed}`;
  return `${done} of about ${total} rows${failed}`;
}
