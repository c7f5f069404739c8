import type { Redis } from 'ioredis';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { openRedis } from '#kernel/redis/open-redis.js';

const TIMEOUT_MS = 5_000;

/** Errors of Redis and Sentinels for clients that they will never accept, and of servers that are neither. */
const FINAL =
  /(^|because )(NOAUTH|WRONGPASS|NOPERM|ERR (AUTH|invalid password|DB index|Client sent AUTH|unknown command)|Protocol error)|knows no master/;

/** Runs work on a Redis connection without reconnecting. @throws the first error reported */
export async function withRedis(url: string, work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const reasons: Error[] = [];
  const sentinels: string[] = [];
  redis.on('error', (error: Error) => reasons.push(error));
  redis.on('sentinelError', ({ message }: Error) => sentinels.push(saidBySentinel(message)));
  try {
    await redis.connect();
    await work(redis);
  } catch (error) {
    if (/^All sentinels are unreachable/.test((error as Error).message))
      throw new Error(sentinels.join('; '), { cause: error });
    throw reasons[0] ?? error;
  } finally {
    redis.disconnect();
  }
  // An invalid database number is reported in addition to a response.
  if (reasons[0]) throw reasons[0];
}

/** ioredis also calls a Sentinel unreachable that answers but does not know the master. */
const saidBySentinel = (message: string): string =>
  message.replace(/^connected to (sentinel \S+) successfully.*$/, '$1 knows no master of that name');

/** Checks whether Redis is usable. @throws StartProblem for errors that are not temporary */
export async function askRedis(url: string): Promise<void> {
  try {
    await withRedis(url, async (redis) => {
      await redis.ping();
    });
  } catch (error) {
    const cause = causeOf(error);
    if (!FINAL.test(cause)) throw error;
    throw new StartProblem(
      `REDIS_URL does not point to a usable Redis (${cause}): correct the address, the password, the database number and, with Sentinels, the name of the master.`,
    );
  }
}
