import cluster from 'node:cluster';
import { loadSecretsKey } from '#kernel/crypto/secrets-key.js';
import { PrimaryProcesses } from '#kernel/cluster/primary-processes.js';
import type { Config } from '#kernel/config/config.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { closeOwnFolders } from '#kernel/config/own-folders.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { configureLogging, logger } from '#kernel/log/logger.js';
import { checkStart } from '#kernel/start/check-start.js';
import { startOwnDatabase } from '#kernel/database/embedded/start-own-database.js';
import { Lifecycle } from './lifecycle.js';

/** Parameters from `scripts/start.mjs`. */
export interface PrimaryCall {
  /** Number of API processes. */
  readonly api: number;
  /** The program of a process, its arguments, and those of Node. */
  readonly exec: string;
  readonly args: readonly string[];
  readonly execArgv: readonly string[];
  /** Called before the processes are replaced. */
  readonly prepare: () => Promise<void>;
  /** Whether SIGHUP was received since the start of this process. */
  readonly wasHungUp: () => boolean;
}

/** Time for a process to start, in addition to waiting for its dependencies. */
const START_MS = 60_000;

/** Additional time for a process to shut down in order before it is killed. */
const GRACE_MS = 5_000;

/**
 * Serves with several processes on one port. The primary starts them, keeps what they share and ends with
 * them.
 */
export async function runPrimary(call: PrimaryCall): Promise<void> {
  process.umask(0o077);
  const lifecycle = new Lifecycle();
  let roll: () => void = () => undefined;
  // Closing a terminal ends what was started in it.
  lifecycle.listen(process.stdin.isTTY ? undefined : () => roll());
  try {
    const config = loadConfig();
    configureLogging(config.LOG_LEVEL);
    const stopMs = (config.drainSeconds + config.STOP_TIMEOUT_SECONDS) * 1_000 + GRACE_MS;
    lifecycle.timeoutMs = stopMs + GRACE_MS;
    await checkStart(config);
    closeOwnFolders(config);
    const databaseUrl = await openDatabase(config, call.api, lifecycle);
    cluster.setupPrimary({
      exec: call.exec,
      args: [...call.args],
      execArgv: [...call.execArgv],
      serialization: 'advanced',
    });
    const processes = new PrimaryProcesses({
      api: call.api,
      hasWorker: config.PROCESS === 'all',
      environment: environmentOf(config, databaseUrl, call.api),
      startMs: config.START_TIMEOUT_SECONDS * 1_000 + START_MS,
      stopMs,
      onFailure: (code) => void lifecycle.end(code),
    });
    await lifecycle.onStop(() => processes.stop());
    await processes.start();
    roll = () =>
      void processes
        .roll(call.prepare)
        .catch((error: unknown) => logger.error({ error }, 'The processes cannot be replaced'));
    process.stdout.write(`Forgeplane (${call.api} request processes) is ready on ${config.externalUrl}\n`);
    // Processes that were already starting may not have seen the change that this is about.
    if (call.wasHungUp()) roll();
  } catch (error) {
    if (error instanceof StartProblem) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ error }, 'The process could not start');
    await lifecycle.end(1);
  }
}

/** The embedded database outlives the processes that use it. */
async function openDatabase(config: Config, api: number, lifecycle: Lifecycle): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL;
  // One more runs the jobs, and during a rolling restart another one is there in addition.
  const server = await startOwnDatabase(config, api + 2);
  await lifecycle.onStop(() => server.stop());
  return server.url;
}

/**
 * Environment of a process: it differs from that of a process on its own machine only in what the primary
 * keeps for it.
 */
function environmentOf(config: Config, databaseUrl: string, api: number): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: loadSecretsKey(config),
    DRAIN_SECONDS: String(config.drainSeconds),
    API_PROCESSES: String(api),
    PACK_CACHE_MB: String(Math.floor(config.PACK_CACHE_MB / api)),
  };
}
