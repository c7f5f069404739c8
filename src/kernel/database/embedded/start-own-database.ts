import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#kernel/config/config.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { logger } from '#kernel/log/logger.js';
import { stopLeftovers } from './leftovers.js';
import { EmbeddedProblem } from './embedded-problem.js';
import { lockFolder } from './owner-lock.js';
import { roomFor } from './settings.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.js';

/** Starts the embedded database of this installation, for so many processes at a time. @throws StartProblem */
export const startOwnDatabase = (config: Config, processes = 1): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    settings: roomFor(processes, config),
    log: (line) => logger.debug({ postgres: line }, 'PostgreSQL'),
    warn: (line) => logger.warn(line),
  }).catch((error: unknown) => {
    throw error instanceof EmbeddedProblem ? new StartProblem(error.message, { cause: error }) : error;
  });

/** Stops the embedded database of a killed primary, unless another process already owns the folder. */
export async function stopOrphanedDatabase({ DATA_DIR }: Config): Promise<void> {
  const folder = join(DATA_DIR, 'postgres');
  if (!existsSync(join(folder, 'postmaster.pid'))) return;
  const lock = await lockFolder(DATA_DIR).catch(() => undefined);
  if (!lock) return;
  await stopLeftovers(folder, (line) => logger.warn(line));
  await lock.release();
}
