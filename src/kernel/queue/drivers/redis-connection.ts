import { Redis, type RedisOptions } from 'ioredis';

const LONGEST_PAUSE_MS = 1_000;

const common: RedisOptions = {
  connectTimeout: 5_000,
  keepAlive: 10_000,
  enableReadyCheck: false,
  retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE_MS),
};

/** A connection that fails at once while Redis is away: what it carries is safe in PostgreSQL and tried again. */
export function impatientRedis(url: string, name: string): Redis {
  return new Redis(url, {
    ...common,
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  });
}

/**
 * A connection that waits for Redis to come back, as Bull's consumers need it. It does not subscribe again by itself: ioredis lets
 * that promise go, and its rejection would end the process when the connection is replaced in that moment. Consumers are built anew
 * after a reconnect, and no delays of Bull's are used, which is all that its subscription is for.
 */
export function patientRedis(url: string, name: string): Redis {
  return new Redis(url, {
    ...common,
    connectionName: name,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
  });
}
