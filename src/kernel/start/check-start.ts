import { primaryLink } from '#kernel/cluster/primary-link.js';
import type { Config } from '#kernel/config/config.js';
import { awaitService } from './await-service.js';
import { checkFolders } from './folders.js';
import { checkListening } from './listening.js';
import { askObjectStore } from './object-store.js';
import { askPooler } from './pooler.js';
import { askPostgres } from './postgres.js';
import { checkReplica } from './replica.js';

/**
 * Checks the folders and services of the configuration before anything is changed, and waits for services
 * that are still starting. @throws StartProblem that names the variable, the cause and the remedy
 */
export async function checkStart(config: Config): Promise<void> {
  // The primary checks this for all its processes, and listens for them.
  if (!primaryLink) await checkListening(config);
  await checkFolders(config);
  const end = startEnd(config);
  const { REDIS_URL: redis, OBJECT_STORE_URL: objects } = config;
  await awaitDatabase(config, end);
  if (config.servesApi) await checkReplica(config);
  if (redis !== undefined) {
    // The Redis client is only loaded if Redis is configured.
    const { askRedis } = await import('./redis.js');
    await awaitService({ name: 'Redis', variable: 'REDIS_URL', ask: () => askRedis(redis) }, end);
  }
  if (objects?.startsWith('s3:'))
    await awaitService(
      { name: 'object store', variable: 'OBJECT_STORE_URL', ask: () => askObjectStore(config) },
      end,
    );
}

/** Returns the time until which a start that begins now waits. */
export const startEnd = (config: Config): number => performance.now() + config.START_TIMEOUT_SECONDS * 1_000;

/**
 * Waits for the configured PostgreSQL, if any. @throws StartProblem at `end`, or for errors that are not
 * temporary
 */
export async function awaitDatabase(config: Config, end: number): Promise<void> {
  const { DATABASE_URL: database, DATABASE_DIRECT_URL: direct } = config;
  if (database === undefined) return;
  const variable = direct === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  await awaitService(
    { name: 'PostgreSQL', variable, ask: () => askPostgres(direct ?? database, variable) },
    end,
  );
  if (direct !== undefined)
    await awaitService(
      { name: 'pooler', variable: 'DATABASE_URL', ask: () => askPooler(config, database) },
      end,
    );
}
