import type { Config } from '#kernel/config/config.js';
import { awaitService } from './await-service.js';
import { checkFolders } from './folders.js';
import { checkListening } from './listening.js';
import { askObjectStore } from './object-store.js';
import { askPostgres } from './postgres.js';

/**
 * Tries what the configuration leads to, before anything is changed there, and waits for the services that are still starting themselves.
 * @throws StartProblem that names the variable, the cause and the remedy
 */
export async function checkStart(config: Config): Promise<void> {
  await checkListening(config);
  await checkFolders(config);
  const end = Date.now() + config.START_TIMEOUT_SECONDS * 1_000;
  const { DATABASE_URL: database, REDIS_URL: redis, OBJECT_STORE_URL: objects } = config;
  if (database !== undefined)
    await awaitService(
      { name: 'PostgreSQL', variable: 'DATABASE_URL', ask: () => askPostgres(database) },
      end,
    );
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
