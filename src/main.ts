import { createApplication } from './application.js';
import type { Config } from '#kernel/config/config.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import type { ApiAdapter } from '#kernel/http/adapter.js';
import { ShutdownState } from '#kernel/health/shutdown-state.js';
import { configureLogging, logger } from '#kernel/log/logger.js';
import { startProcessMetrics } from '#kernel/log/metrics.js';
import { Lifecycle } from './lifecycle.js';
import { prepareDatabase } from './prepare-database.js';

/** Starts this process as api, worker or both. */
async function main(lifecycle: Lifecycle): Promise<void> {
  const config = loadConfig();
  configureLogging(config.LOG_LEVEL);
  lifecycle.timeoutMs = (config.drainSeconds + config.STOP_TIMEOUT_SECONDS) * 1_000;
  startProcessMetrics();
  const database = await prepareDatabase(config);
  await lifecycle.onStop(database.stop);
  const app = await createApplication(config, database.url);
  await lifecycle.onStop(async (code) => {
    app.get(ShutdownState).begin();
    // Whoever stops because of an error is in no state to serve on.
    await (app.getHttpAdapter() as ApiAdapter).sayFarewell(code === 0 ? config.drainSeconds * 1_000 : 0);
    await app.close();
  });
  await app.listen(config.PORT, config.HOST);
  announce(config, database.notes);
}

function announce(config: Config, notes: readonly string[]): void {
  const lines = [`Forgeplane (${config.PROCESS}) is ready on ${config.externalUrl}`, ...notes];
  process.stdout.write(`${lines.join('\n')}\n`);
}

// What this process and all that it starts write is for nobody else.
process.umask(0o077);
const lifecycle = new Lifecycle();
lifecycle.listen();
main(lifecycle).catch((error: unknown) => {
  if (error instanceof StartProblem) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ error }, 'The process could not start');
  return lifecycle.end(1);
});
