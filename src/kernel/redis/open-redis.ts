import type { Redis, RedisOptions } from 'ioredis';
import { TracedRedis } from '#kernel/tracing/traced-redis.js';
import { endSilence } from './end-silence.js';
import { readRedisAddress } from './redis-address.js';

const SENTINEL_TIMEOUT_MS = 2_000;
/** Shorter than the timeouts of commands that may take seconds, so that a silent connection is closed before they expire. */
const SILENT_MS = 4_000;
const RECONNECT_EVERY_MS = 1_000;

/**
 * Opens a connection to the Redis that REDIS_URL leads to; all connections are opened here. With Sentinels, every attempt to connect
 * asks them for the current master. A connection on which responses are missing for `silentMs` is opened anew: commands that block
 * need more than the time that they block for.
 */
export function openRedis(url: string, given: RedisOptions, silentMs = SILENT_MS): Redis {
  const redis = connect(url, { reconnectOnError: leavingReplicas(), ...given });
  endSilence(redis, silentMs);
  return redis;
}

function connect(url: string, options: RedisOptions): Redis {
  const address = readRedisAddress(url);
  if (address === null) return new TracedRedis(url, options);
  const { tls, sentinels, ...master } = address;
  return new TracedRedis({
    ...options,
    ...master,
    sentinels: [...sentinels],
    // Only the configured Sentinels are asked: the addresses of others that they know may not be reachable from here.
    updateSentinels: false,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: (times) => options.retryStrategy?.(times),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  });
}

/** Reconnects, at most once a second, when a master has become a replica and refuses writes: a new connection finds its successor. */
function leavingReplicas(): (error: Error) => boolean {
  let last = -Infinity;
  return ({ message }) => {
    const now = performance.now();
    if (!/\b(READONLY|MASTERDOWN)\b/.test(message) || now - last < RECONNECT_EVERY_MS) return false;
    last = now;
    return true;
  };
}
