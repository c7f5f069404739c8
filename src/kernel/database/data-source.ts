import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { loadMigrations } from './migrations.js';
import { SnakeNaming } from './naming.js';

// bigint ids stay far below 2^53, and counts are bigint too: numbers everywhere. Dates without time stay text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);

/** Options of the writing data source: entities are given by the modules, the schema only by migrations. */
export async function dataSourceOptions(url: string, pool: number): Promise<DataSourceOptions & { autoLoadEntities: boolean }> {
  return {
    type: 'postgres',
    url,
    poolSize: pool,
    applicationName: 'forgeplane',
    autoLoadEntities: true,
    entities: [],
    migrations: await loadMigrations(),
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    extra: { statement_timeout: 30_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 60_000, parseInputDatesAsUTC: true },
  };
}

/** Any number: all processes of the product use the same. */
const MIGRATION_LOCK = 746_274_001;

/** Brings the schema up to date; two processes that start together take turns under an advisory lock. */
export async function migrate(url: string): Promise<string[]> {
  const options = await dataSourceOptions(url, 2);
  const dataSource = await new DataSource({ ...options, extra: {} } as DataSourceOptions).initialize();
  try {
    await dataSource.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return (await dataSource.runMigrations()).map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}
