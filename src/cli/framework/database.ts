import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { readPidFile } from '#kernel/database/embedded/leftovers.js';
import { urlOfSocket } from '#kernel/database/embedded/own-database.js';
import { roomFor } from '#kernel/database/embedded/settings.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#kernel/database/embedded/start-embedded-postgres.js';
import { isTransient } from '#kernel/database/transient.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { unusableDatabase } from '#kernel/start/postgres.js';
import { CommandError } from './output.js';

/** The database of a command. */
export interface CommandDatabase {
  readonly url: string;
  /** Whether a service may be using it; false if it was started for the command alone. */
  readonly isShared: boolean;
}

/**
 * Provides the database: the configured one, the embedded one of a service that runs on this DATA_DIR, or one
 * that is started for the duration of the command. Only with `creates` is an embedded one created: elsewhere a
 * missing one means that the variables are not those of the service.
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: CommandDatabase) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  // Commands are few, and some need a session: past a pooler.
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url !== undefined) {
    await requireReachable(
      url,
      config.DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL',
    );
    return work({ url, isShared: true });
  }
  const folder = join(config.DATA_DIR, 'postgres');
  if (!creates && !existsSync(folder))
    throw new CommandError(
      `There is no database in ${folder} yet: start the service once, or set DATABASE_URL or DATA_DIR to that of the service`,
    );
  const stopListening = exitOnSignals();
  let server: EmbeddedPostgres | undefined;
  try {
    const settings = roomFor(1, config);
    const found = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, settings }).catch(
      async (error: unknown) => {
        const socketFolder = await runningSocketFolder(config);
        if (socketFolder === undefined) throw error;
        return { url: urlOfSocket(socketFolder) };
      },
    );
    server = 'stop' in found ? found : undefined;
    return await work({ url: found.url, isShared: !server });
  } finally {
    await server?.stop();
    stopListening();
  }
}

/** @throws StartProblem that names the variable if PostgreSQL refuses the connection or does not respond */
async function requireReachable(url: string, variable: string): Promise<void> {
  const options = { connectionString: utcUrl(url), connectionTimeoutMillis: 10_000 };
  try {
    await withClient(options, (client) => client.query('select'));
  } catch (error) {
    const problem = unusableDatabase(error, variable);
    if (problem) throw problem;
    // Anything else is up to the command, which may need less.
    if (isTransient(error))
      throw new StartProblem(
        `${variable}: PostgreSQL does not respond (${causeOf(error)}): start it, or correct ${variable}.`,
      );
  }
}

/** Socket folder of the process that owns DATA_DIR; undefined if none is running. */
async function runningSocketFolder(config: Config): Promise<string | undefined> {
  const file = readPidFile(join(config.DATA_DIR, 'postgres'));
  if (!file?.ready || !file.socketFolder) return undefined;
  const socket = connect(join(file.socketFolder, '.s.PGSQL.5432'));
  try {
    await once(socket, 'connect');
    return file.socketFolder;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/**
 * Stops our own server when the process is interrupted, which a signal alone would not do. Returns a function
 * that removes the listeners.
 */
export function exitOnSignals(): () => void {
  const handlers = (
    [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const
  ).map(([signal, code]) => [signal, () => process.exit(code)] as const);
  for (const [signal, handler] of handlers) process.once(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
