import { IsBoolean, IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import { Agrees, Flag, Whole } from './config-values.js';
import { OperationConfig } from './operation-config.js';

/** Variables of the database: its addresses, and the limits of connections. */
export class DatabaseConfig extends OperationConfig {
  /** PostgreSQL database; unset: an embedded PostgreSQL is started (only with PROCESS=all). */
  @ValidateIf(
    ({ DATABASE_URL, PROCESS }: DatabaseConfig & { readonly PROCESS: string }) =>
      DATABASE_URL !== undefined || PROCESS !== 'all',
  )
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// URL (required unless PROCESS=all)' })
  DATABASE_URL?: string;

  /**
   * Pooler at DATABASE_URL: `transaction` is a PgBouncer with `pool_mode = transaction`. It requires
   * DATABASE_DIRECT_URL and plans each execution of a statement anew.
   */
  @IsIn(['none', 'transaction'])
  @Agrees<DatabaseConfig>(
    (pooler, { DATABASE_URL }) => pooler !== 'transaction' || DATABASE_URL !== undefined,
    'must be none with the embedded database: transaction needs DATABASE_URL',
  )
  DATABASE_POOLER: 'none' | 'transaction' = 'none';

  /**
   * URL of the database that bypasses the pooler, for work that needs a session: job notifications,
   * migrations, backups, commands. Only with DATABASE_POOLER=transaction.
   */
  @ValidateIf(
    ({ DATABASE_DIRECT_URL, DATABASE_POOLER }: DatabaseConfig) =>
      DATABASE_DIRECT_URL !== undefined || DATABASE_POOLER !== 'none',
  )
  @Matches(/^postgres(ql)?:\/\//, {
    message: 'must be a postgres:// URL that bypasses the pooler (required with DATABASE_POOLER=transaction)',
  })
  @Agrees<DatabaseConfig>(
    (url, { DATABASE_POOLER }) => url === undefined || DATABASE_POOLER === 'transaction',
    'must not be set unless DATABASE_POOLER=transaction',
  )
  @Agrees<DatabaseConfig>(
    (url, { DATABASE_URL }) => url !== DATABASE_URL,
    'must bypass the pooler, but is the same as DATABASE_URL',
  )
  DATABASE_DIRECT_URL?: string;

  /**
   * Streaming replica for lists of callers who have not written for five seconds, while it lags less than
   * that. PostgreSQL itself, not a pooler. Set it for all processes that serve the API.
   */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// URL of a replica' })
  @Agrees<DatabaseConfig>(
    (url, { DATABASE_URL }) => url === undefined || DATABASE_URL !== undefined,
    'must not be set with the embedded database, which has no replica',
  )
  @Agrees<DatabaseConfig>(
    (url, { DATABASE_URL }) => url === undefined || url !== DATABASE_URL,
    'must point to a replica, but is the same as DATABASE_URL',
  )
  DATABASE_REPLICA_URL?: string;

  /** Migrates at each start; false: the service needs a schema migrated by `npm run cli -- migrate`. */
  @Flag()
  @IsBoolean()
  MIGRATE_ON_START = true;

  /** Connections of one process for writes; up to half as many more while statements wait for locks. */
  @Whole(2, 200)
  DATABASE_POOL = 8;

  /** Connections of one process for reads that may be slow: searches, counts, deep pages. */
  @Whole(1, 100)
  DATABASE_READ_POOL = 4;

  /** Connections of one process to the replica for lists that may be slow. */
  @Whole(1, 100)
  DATABASE_REPLICA_POOL = 4;

  /** Connections of one process for the bookkeeping of jobs. */
  @Whole(1, 20)
  DATABASE_QUEUE_POOL = 3;
}
