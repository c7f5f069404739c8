import { primaryLink } from '#kernel/cluster/primary-link.js';
import type { Config } from '#kernel/config/config.js';
import { awaitService } from './await-service.js';
import { checkFolders } from './folders.js';
import { checkListening } from './listening.js';
import { askObjectStore } from './object-store.js';
import { askPooler } from './pooler.js';
import { askPostgres } from './postgres.js';

/**
 * Tries what the configuration leads to, before anything is changed there, and waits for the services that are still starting themselves.
 * @throws StartProblem that names the variable, the cause and the remedy
 */
export async function checkStart(config: Config): Promise<void> {
  // The primary has done so for all processes beside it, and listens for them.
  if (!primaryLink) await checkListening(config);
  await checkFolders(config);
  const end = startEnd(config);
  const { REDIS_URL: redis, OBJECT_STORE_URL: objects } = config;
  await awaitDatabase(config, end);
  if (redis !== undefined) {
    // What speaks to Redis is loaded where there is one.
    const { askRedis } = await import('./redis.js');
    await awaitService({ name: 'Redis', variable: 'REDIS_URL', ask: () => askRedis(redis) }, end);
  }
  if (objects?.startsWith('s3:'))
    await awaitService(
      { name: 'object store', variable: 'OBJECT_STORE_URL', ask: () => askObjectStore(config) },
      end,
    );
}

/** When the patience of a start that begins now ends. */
export const startEnd = (config: Config): number => Date.now() + config.START_TIMEOUT_SECONDS * 1_000;

/** Waits for a PostgreSQL that is configured. @throws StartProblem when `end` has come before, or where to wait would change nothing */
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
