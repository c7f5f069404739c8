import type { createApplication as CreateApplication } from './application.js';
import { primaryLink } from '#kernel/cluster/primary-link.js';
import type { Config } from '#kernel/config/config.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { nearNames } from '#kernel/config/near-names.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import type { ApiAdapter } from '#kernel/http/adapter.js';
import { ShutdownState } from '#kernel/health/shutdown-state.js';
import { configureLogging, logger } from '#kernel/log/logger.js';
import { startProcessMetrics } from '#kernel/log/metrics.js';
import { stopOrphanedDatabase } from '#kernel/database/embedded/start-own-database.js';
import { checkStart } from '#kernel/start/check-start.js';
import { startTracing } from '#kernel/tracing/start-tracing.js';
import { setOptimizing } from '#kernel/start/optimizing.js';
import { listenProblem } from '#kernel/start/listening.js';
import { ownRedis } from '#core/first-start/redis-owner.js';
import { Lifecycle } from './lifecycle.js';
import { prepareDatabase } from './prepare-database.js';

/** Starts this process as api, worker or both. */
async function main(lifecycle: Lifecycle): Promise<void> {
  for (const [given, meant] of nearNames())
    logger.warn(`The environment sets ${given}, which is not a known variable: ${meant} was probably meant`);
  const config = loadConfig();
  configureLogging(config.LOG_LEVEL);
  lifecycle.timeoutMs = (config.drainSeconds + config.STOP_TIMEOUT_SECONDS) * 1_000;
  startProcessMetrics();
  await lifecycle.onStop(await startTracing(config));
  await checkStart(config);
  // About a thousand modules, which are read and compiled while PostgreSQL starts.
  const loading = import('./application.js');
  // Avoids an unhandled rejection if the database fails first; the import is awaited after it.
  loading.catch(() => undefined);
  if (primaryLink && !config.servesApi)
    await lifecycle.onStop(() => (primaryLink?.isOrphan ? stopOrphanedDatabase(config) : undefined));
  const database = await prepareDatabase(config);
  await lifecycle.onStop(database.stop);
  try {
    await lifecycle.onStop(await ownRedis(config, database.url));
    await serve(config, database.url, lifecycle, await loading);
  } finally {
    setOptimizing(true);
    // Even if this process serves nothing: credentials are shown this one time.
    announce(database.notes);
  }
}

async function serve(
  config: Config,
  databaseUrl: string,
  lifecycle: Lifecycle,
  { createApplication }: { readonly createApplication: typeof CreateApplication },
): Promise<void> {
  const app = await createApplication(config, databaseUrl);
  await lifecycle.onStop(async (code) => {
    app.get(ShutdownState).begin();
    // After an error the process is in no state to keep serving, and if it is being replaced another process
    // serves.
    const isReplaced = primaryLink?.isRetired ?? false;
    const drainMs = code === 0 && !isReplaced ? config.drainSeconds * 1_000 : 0;
    await (app.getHttpAdapter() as ApiAdapter).sayFarewell(drainMs, isReplaced);
    await app.close();
  });
  if (primaryLink && !config.servesApi) {
    primaryLink.announce();
    return;
  }
  await app.listen(config.PORT, config.HOST).catch((error: unknown) => {
    throw listenProblem(config, error);
  });
  if (primaryLink) primaryLink.announce();
  else announce([`Forgeplane (${config.PROCESS}) is ready on ${config.externalUrl}`]);
}

function announce(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

// Files of this process and its children are private.
process.umask(0o077);
setOptimizing(false);
const lifecycle = new Lifecycle();
// The primary, if there is one, handles closing terminals and the replacement of processes.
lifecycle.listen(primaryLink ? () => undefined : undefined);
primaryLink?.onEnd(() => void lifecycle.end(0));
main(lifecycle).catch((error: unknown) => {
  if (error instanceof StartProblem) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ error }, 'The process could not start');
  return lifecycle.end(1);
});
