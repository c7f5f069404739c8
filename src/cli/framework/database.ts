import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { readPidFile } from '#kernel/database/embedded/leftovers.js';
import {
  startEmbeddedPostgres,
  urlOfSocket,
  type EmbeddedPostgres,
} from '#kernel/database/embedded/start-embedded-postgres.js';

/** The database of a command. */
export interface CommandDatabase {
  readonly url: string;
  /** Whether a service may be at work on it; false when it was started for the command alone. */
  readonly isShared: boolean;
}

/**
 * Leads to the database: the configured one, the embedded one of a service that runs on this DATA_DIR, or one that is started
 * for the time of the command.
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: CommandDatabase) => Promise<T>,
): Promise<T> {
  if (config.DATABASE_URL !== undefined) return work({ url: config.DATABASE_URL, isShared: true });
  const stopListening = exitOnSignals();
  let server: EmbeddedPostgres | undefined;
  try {
    const found = await startEmbeddedPostgres({ dataDir: config.DATA_DIR }).catch(async (error: unknown) => {
      const socketFolder = await runningSocketFolder(config);
      if (socketFolder === undefined) throw error;
      return { url: urlOfSocket(socketFolder) };
    });
    server = 'stop' in found ? found : undefined;
    return await work({ url: found.url, isShared: !server });
  } finally {
    await server?.stop();
    stopListening();
  }
}

/** Where the server of the process that owns DATA_DIR takes connections; undefined when it does not. */
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

/** A server of our own is ended with the process, which a signal alone would not do. */
function exitOnSignals(): () => void {
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
