import { migrate } from '#kernel/database/migrate.js';
import type { Config } from '#kernel/config/config.js';
import { closeOwnFolders } from '#kernel/config/own-folders.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { EmbeddedProblem } from '#kernel/database/embedded/embedded-problem.js';
import { startEmbeddedPostgres } from '#kernel/database/embedded/start-embedded-postgres.js';
import { logger } from '#kernel/log/logger.js';
import { unusableDatabase } from '#kernel/start/postgres.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { checkSecretsKey } from '#core/first-start/secrets-key-check.js';

/** A database that is ready for the application. */
export interface PreparedDatabase {
  readonly url: string;
  /** What the person who starts the service should read, such as the first credentials. */
  readonly notes: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Starts the embedded database where none is configured, brings the schema up to date and creates the first data. */
export async function prepareDatabase(config: Config): Promise<PreparedDatabase> {
  closeOwnFolders(config);
  if (config.DATABASE_URL !== undefined) {
    return {
      url: config.DATABASE_URL,
      notes: await bringUpToDate(config, config.DATABASE_URL),
      stop: () => Promise.resolve(),
    };
  }
  const server = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    log: (line) => logger.debug({ postgres: line }, 'PostgreSQL'),
  }).catch((error: unknown) => {
    throw error instanceof EmbeddedProblem ? new StartProblem(error.message, { cause: error }) : error;
  });
  const notes = await bringUpToDate(config, server.url).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { url: server.url, notes, stop: () => server.stop() };
}

async function bringUpToDate(config: Config, url: string): Promise<readonly string[]> {
  const migrations = await migrate(url).catch((error: unknown) => {
    throw unusableDatabase(error) ?? error;
  });
  if (migrations.length > 0) logger.info({ migrations }, 'The schema was brought up to date');
  await checkSecretsKey(config, url);
  return createFirstData(config, url);
}
