import './reads/pg-types.js';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { CountedClient } from './statements/counted-client.js';
import { loadMigrations } from './migrations.js';
import { SnakeNaming } from './naming.js';
import { notedPool } from './patient-pool.js';
import { PLANNER_COSTS } from './planner-costs.js';
import type { DatabaseAddress } from './sessions/database-address.js';
import { sessionOptions } from './sessions/session-options.js';

const TIMEOUTS = {
  statement_timeout: 30_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** Options of the data source for writes: modules register the entities, and only migrations change the schema. */
export async function dataSourceOptions(
  address: DatabaseAddress,
  pool: number,
): Promise<DataSourceOptions & { autoLoadEntities: boolean }> {
  const { connectionString: url, ...session } = sessionOptions(address, PLANNER_COSTS, TIMEOUTS);
  return {
    type: 'postgres',
    url: url as string,
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
    // The pool replaces a connection that the server closed while it was idle.
    poolErrorHandler: (error: unknown) => logger.warn({ error }, 'An idle database connection was lost'),
    extra: {
      ...session,
      Client: CountedClient,
      // Keep one connection: a new one must load the catalog and plan again, which takes longer than most requests.
      min: 1,
      // A request that waits longer for a connection is asked to retry.
      connectionTimeoutMillis: 10_000,
      parseInputDatesAsUTC: true,
    },
  };
}
