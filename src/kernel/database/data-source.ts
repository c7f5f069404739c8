import './reads/pg-types.js';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { CountedClient } from './statements/counted-client.js';
import { loadMigrations } from './migrations.js';
import { SnakeNaming } from './naming.js';
import { notedPool } from './own-pool.js';
import { PLANNER_COSTS } from './planner-costs.js';
import { utcUrl } from './utc-url.js';

/** Options of the writing data source: entities are given by the modules, the schema only by migrations. */
export async function dataSourceOptions(
  url: string,
  pool: number,
): Promise<DataSourceOptions & { autoLoadEntities: boolean }> {
  return {
    type: 'postgres',
    url: utcUrl(url, PLANNER_COSTS),
    driver: { ...pg, Pool: notedPool() },
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
      // One stays: it has read the catalogue and holds plans, which takes a new one longer than most requests do.
      min: 1,
      // Whoever waits longer for a connection is told to come again.
      connectionTimeoutMillis: 10_000,
      statement_timeout: 30_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 60_000,
      parseInputDatesAsUTC: true,
    },
  };
}
