import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '#kernel/database/data-source.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { migrate } from '#kernel/database/migrate.js';
import { loadMigrations } from '#kernel/database/migrations.js';
import { createEmptyDatabase, type TestDatabase } from '../../../../support/database.js';
import { until } from '../../../../support/until.js';

const databases: TestDatabase[] = [];
const sources: DataSource[] = [];

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database.url;
}

async function open(url: string, migrations?: DataSourceOptions['migrations']): Promise<DataSource> {
  const options = await dataSourceOptions(DatabaseAddress.direct(url), 2);
  const changed = { ...options, ...(migrations ? { migrations } : {}) };
  const source = await new DataSource(changed).initialize();
  sources.push(source);
  return source;
}

/** All facts about the schema in the catalog, as comparable lines. */
async function dump(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(`
      select format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then 'not null' end, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) as line
        from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
      union all select format('index %s', pg_get_indexdef(indexrelid)) from pg_index i
        join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
      union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select format('relation %s %s %s', relname, relkind, reloptions) from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'
      union all select format('function %s %s', proname, prosrc) from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all select format('trigger %s', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
      union all select format('type %s %s', typname, typtype) from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
      union all select format('extension %s', extname) from pg_extension
      order by 1`);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  for (const source of sources.splice(0)) await source.destroy();
  for (const database of databases.splice(0)) await database.drop();
});

describe('migrations', () => {
  it('leave the same schema after up, down to nothing, and up again', async () => {
    const url = await emptyDatabase();
    const before = await dump(url);
    const names = await migrate(url);
    const first = await dump(url);
    expect(first.length).toBeGreaterThan(100);

    const source = await open(url);
    for (let step = 0; step < names.length; step += 1)
      await source.undoLastMigration({ transaction: 'each' });
    const emptied = (await dump(url)).filter((line) => !line.includes('schema_migrations'));
    expect(emptied.filter((line) => !line.startsWith('extension'))).toEqual(
      before.filter((line) => !line.startsWith('extension')),
    );

    expect(await migrate(url)).toEqual(names);
    expect(await dump(url)).toEqual(first);
    expect(await migrate(url)).toEqual([]);
  });

  it('are run only once by processes that start together', async () => {
    const url = await emptyDatabase();
    const runs = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(runs.filter((run) => run.length > 0)).toHaveLength(1);
    const source = await open(url);
    expect(await source.showMigrations()).toBe(false);
  });

  it('leave nothing behind when one is interrupted, and continue from there', async () => {
    const url = await emptyDatabase();
    const all = await loadMigrations();
    const half = Math.ceil(all.length / 2);
    const cut = all[half] as (typeof all)[number];
    // The work is done, then the process dies before the commit.
    class Cut implements MigrationInterface {
      name = cut.name;
      async up(runner: QueryRunner): Promise<void> {
        await new cut().up(runner);
        throw new Error('cut short');
      }
      down(): Promise<void> {
        return Promise.resolve();
      }
    }
    const source = await open(url, [...all.slice(0, half), Cut]);
    await expect(source.runMigrations({ transaction: 'each' })).rejects.toThrow('cut short');
    const [row] = await source.query<{ count: number }[]>('select count(*) from schema_migrations');
    expect(row?.count).toBe(half);

    expect((await migrate(url)).length).toBe(all.length - half);
    const other = await emptyDatabase();
    await migrate(other);
    expect(await dump(url)).toEqual(await dump(other));
  });

  it('give up waiting for a table that is in use, so that others need not wait, and try again', async () => {
    const url = await emptyDatabase();
    const names = await migrate(url);
    const source = await open(url);
    await source.undoLastMigration({ transaction: 'each' });
    const user = new pg.Client({ connectionString: url });
    await user.connect();
    await user.query('begin');
    await user.query('lock table schema_migrations in share mode');
    const again = migrate(url);
    const waiting = (): Promise<boolean> =>
      source
        .query<{ n: number }[]>(
          `select count(*)::int as n from pg_locks where not granted and relation = 'schema_migrations'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        )
        .then(([row]) => row?.n === 1);
    await until(waiting);
    await until(async () => !(await waiting()));
    await user.end();
    expect(await again).toEqual(names.slice(-1));
  });

  it('index every foreign key, so that deleting a row never reads a whole table', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const source = await open(url);
    const missing = await source.query<{ constraint: string }[]>(`
      select conrelid::regclass || '.' || conname as constraint from pg_constraint f
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select 1 from pg_index i where i.indrelid = f.conrelid and (i.indkey::int2[])[0] = f.conkey[1])
      order by 1`);
    expect(missing.map(({ constraint }) => constraint)).toEqual([]);
  });
});
