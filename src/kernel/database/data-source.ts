import './pg-types.js';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { CountedClient } from './counted-client.js';
import { loadMigrations } from './migrations.js';
import { SnakeNaming } from './naming.js';

/** Options of the writing data source: entities are given by the modules, the schema only by migrations. */
export async function dataSourceOptions(
  url: string,
  pool: number,
): Promise<DataSourceOptions & { autoLoadEntities: boolean }> {
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
    // A connection that the server ends while it is idle is replaced at the next use.
    poolErrorHandler: (error: unknown) => logger.warn({ error }, 'An idle database connection was lost'),
    extra: {
      Client: CountedClient,
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      parseInputDatesAsUTC: true,
    },
  };
}

/** Any number: all processes of the product use the same. */
const MIGRATION_LOCK = 746_274_001;

/** Brings the schema up to date; two processes that start together take turns under an advisory lock. */
export async function migrate(url: string): Promise<string[]> {
  const options = await dataSourceOptions(url, 2);
  const dataSource = await new DataSource({ ...options, extra: { Client: CountedClient } }).initialize();
  try {
    await dataSource.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return (await dataSource.runMigrations()).map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}
