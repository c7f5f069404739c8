import { migrate, requireSchema } from '#kernel/database/migrate.js';
import type { Config } from '#kernel/config/config.js';
import { closeOwnFolders } from '#kernel/config/own-folders.js';
import { startOwnDatabase } from '#kernel/database/embedded/start-own-database.js';
import { logger } from '#kernel/log/logger.js';
import { unusableDatabase } from '#kernel/start/postgres.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { checkObjects } from '#core/first-start/objects-check.js';
import { checkSecretsKey } from '#core/first-start/secrets-key-check.js';

/** A database that is ready for the application. */
export interface PreparedDatabase {
  readonly url: string;
  /** Messages for the person who starts the service, such as the initial credentials. */
  readonly notes: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts the embedded database if none is configured, migrates the schema and creates the initial data. */
export async function prepareDatabase(config: Config): Promise<PreparedDatabase> {
  closeOwnFolders(config);
  if (config.DATABASE_URL !== undefined) {
    return {
      url: config.DATABASE_URL,
      notes: await bringUpToDate(config, config.DATABASE_DIRECT_URL ?? config.DATABASE_URL),
      stop: () => Promise.resolve(),
    };
  }
  const server = await startOwnDatabase(config);
  const notes = await bringUpToDate(config, server.url).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { url: server.url, notes, stop: () => server.stop() };
}

async function ready(config: Config, url: string): Promise<readonly string[]> {
  if (config.MIGRATE_ON_START) return migrate(url);
  await requireSchema(url);
  return [];
}

async function bringUpToDate(config: Config, url: string): Promise<readonly string[]> {
  const migrations = await ready(config, url).catch((error: unknown) => {
    throw unusableDatabase(error, config.DATABASE_DIRECT_URL && 'DATABASE_DIRECT_URL') ?? error;
  });
  if (migrations.length > 0) logger.info({ migrations }, 'The schema was migrated');
  await checkSecretsKey(config, url);
  await checkObjects(config, url);
  return createFirstData(config, url);
}
