import type { Redis, RedisOptions } from 'ioredis';
import { openRedis } from '#kernel/redis/open-redis.js';

const LONGEST_PAUSE_MS = 1_000;

/** Time for which a blocking read of Bull waits for a job. */
export const BLOCKING_SECONDS = 5;
/** A blocking read that finds nothing is also a response, but Redis may be busy when it is due. */
const SILENT_MS = BLOCKING_SECONDS * 1_000 + 5_000;

const common: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE_MS),
};

/**
 * A connection that fails at once while Redis is unavailable: its data is safe in PostgreSQL and will be sent
 * again. It keeps the ready check: without it ioredis takes a connection for ready, and never reconnects, if it
 * ends during the handshake.
 */
export function impatientRedis(url: string, name: string): Redis {
  return openRedis(url, {
    ...common,
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  });
}

/**
 * A connection that waits for Redis to come back, as Bull's consumers require. It does not resubscribe by
 * itself: ioredis does not await that promise, whose rejection would end the process if the connection is
 * replaced just then. Consumers are rebuilt after a reconnect, and Bull's delays, the only purpose of its
 * subscription, are not used.
 */
export function patientRedis(url: string, name: string): Redis {
  const options: RedisOptions = {
    ...common,
    connectionName: name,
    enableReadyCheck: false,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
  };
  return openRedis(url, options, SILENT_MS);
}
