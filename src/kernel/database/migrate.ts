import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor } from 'typeorm';
import { logger } from '#kernel/log/logger.js';
import { CountedClient } from './statements/counted-client.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { RELEASE } from '#kernel/config/release.js';
import { dataSourceOptions } from './data-source.js';
import { refuseUnfinishedCopy } from './copy/unfinished-copy.js';
import { noteRelease, refuseNewerSchema, type Ask } from './schema/releases.js';
import { DatabaseAddress } from './sessions/database-address.js';
import { isLockTimeout } from './transient.js';

/** Any number: all processes of the product use the same. */
export const MIGRATION_LOCK = 746_274_001;
/** All later statements on a table wait behind a migration that waits for its lock: so it gives up soon, and retries. */
const MIGRATION_LOCK_TIMEOUT_MS = 2_000;
const MIGRATION_PAUSE_MS = 1_000;
/** A table that is in use for this long needs an operator. */
const MIGRATION_PATIENCE_MS = 10 * 60_000;

/**
 * Brings the schema up to date; two processes that start together are serialized by an advisory lock. @throws StartProblem where it is too new, or
 * where what is copied into the database is not complete, unless it is the copy that asks
 */
export async function migrate(url: string, { isCopy = false } = {}): Promise<string[]> {
  const options = await dataSourceOptions(DatabaseAddress.direct(url), 2);
  // No connection is ended for being idle: one of them holds the lock.
  const extra = { Client: CountedClient, lock_timeout: MIGRATION_LOCK_TIMEOUT_MS, idleTimeoutMillis: 0 };
  const dataSource = await new DataSource({ ...options, extra }).initialize();
  try {
    await takeTurn(dataSource);
    if (!isCopy) await refuseUnfinishedCopy(askOn(dataSource));
    await refuseNewerSchema(askOn(dataSource));
    const done = await runPending(dataSource, performance.now() + MIGRATION_PATIENCE_MS);
    await noteRelease(askOn(dataSource));
    return done;
  } finally {
    await dataSource.destroy();
  }
}

/** Looks whether the schema serves this release, and changes nothing. @throws StartProblem where it is too new, too old or not complete */
export async function requireSchema(url: string): Promise<void> {
  const dataSource = await new DataSource(
    await dataSourceOptions(DatabaseAddress.direct(url), 1),
  ).initialize();
  try {
    await refuseUnfinishedCopy(askOn(dataSource));
    await refuseNewerSchema(askOn(dataSource));
    const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
    if (pending.length === 0) return;
    const names = pending.map(({ name }) => name).join(', ');
    throw new StartProblem(
      `The schema is older than this release (${RELEASE}): ${names} ${pending.length === 1 ? 'is' : 'are'} missing. Run "npm run cli -- migrate", or start with MIGRATE_ON_START=true.`,
    );
  } finally {
    await dataSource.destroy();
  }
}

const askOn =
  (dataSource: DataSource): Ask =>
  (text, values) =>
    dataSource.query(text, values);

/** Not by waiting in the database: the other one may need longer than a lock may take here. */
async function takeTurn(dataSource: DataSource): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const [row] = await dataSource.query<{ mine: boolean }[]>('select pg_try_advisory_lock($1) as mine', [
      MIGRATION_LOCK,
    ]);
    if (row?.mine === true) return;
    if (attempt === 20) logger.info('Waiting for another process that brings the schema up to date');
    await sleep(100);
  }
}

/** Each migration is a separate transaction: what is done before one that meets a lock stays done. */
async function runPending(dataSource: DataSource, end: number): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  for (;;) {
    try {
      await dataSource.runMigrations();
      return pending.map(({ name }) => name);
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > end) throw error;
      logger.warn({ error }, 'A migration met a table in use and is tried again');
      await sleep(MIGRATION_PAUSE_MS + Math.random() * MIGRATION_PAUSE_MS);
    }
  }
}
