import type { INestApplication } from '@nestjs/common';
import { createApplication } from './application.js';
import { Config } from '#kernel/config/config.js';
import { ConfigError, loadConfig } from '#kernel/config/load-config.js';
import { prepareDatabase } from './prepare-database.js';
import { ShutdownState } from '#kernel/health/shutdown-state.js';
import { startProcessMetrics } from '#kernel/log/metrics.js';
import { configureLogging, flushLogs, logger } from '#kernel/log/logger.js';

/** A stop that takes longer than this is forced. */
const STOP_TIMEOUT_MS = 25_000;

/** Signals within this time after the first one are the same request to stop. */
const REPEAT_MS = 1_000;

/** Starts this process as api, worker or both, and stops it on SIGTERM and SIGINT; a second signal forces the stop. */
async function main(): Promise<void> {
  const config = loadConfig();
  configureLogging(config.LOG_LEVEL);
  startProcessMetrics();
  const database = await prepareDatabase(config);
  let app: INestApplication | null = null;
  try {
    app = await createApplication(config, database.url);
    stopOnSignals(app, database.stop);
    await app.listen(config.PORT, config.HOST);
    announce(config, database.notes);
  } catch (error) {
    await app?.close().catch(() => undefined);
    await database.stop();
    throw error;
  }
}

function stopOnSignals(app: INestApplication, stopDatabase: () => Promise<void>): void {
  let began = 0;
  const stop = (signal: string): void => {
    const shutdown = app.get(ShutdownState);
    // Under npm one Ctrl-C arrives twice: from the terminal and forwarded by npm.
    if (shutdown.isStopping && Date.now() - began < REPEAT_MS) return;
    if (shutdown.isStopping) process.exit(1);
    began = Date.now();
    shutdown.begin();
    logger.info(`${signal}: stopping`);
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    const closed = app.close().then(stopDatabase);
    closed.then(
      () => {
        flushLogs();
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ error }, 'The stop was not clean');
        flushLogs();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

function announce(config: Config, notes: readonly string[]): void {
  const lines = [`Forgeplane (${config.PROCESS}) is ready on ${config.externalUrl}`, ...notes];
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ error }, 'The process could not start');
  flushLogs();
  process.exit(1);
});
