import { Redis } from 'ioredis';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';

const TIMEOUT_MS = 5_000;

/** Errors of Redis for clients that it will never accept, and of servers that are not Redis. */
const FINAL =
  /^(NOAUTH|WRONGPASS|NOPERM|ERR (AUTH|invalid password|DB index|Client sent AUTH)|Protocol error)/;

/** Runs work on a Redis connection without reconnecting. @throws the first error reported */
export async function withRedis(url: string, work: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const reasons: Error[] = [];
  redis.on('error', (error) => reasons.push(error));
  try {
    await redis.connect();
    await work(redis);
  } catch (error) {
    throw reasons[0] ?? error;
  } finally {
    redis.disconnect();
  }
  // An invalid database number is reported in addition to a response.
  if (reasons[0]) throw reasons[0];
}

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
      `REDIS_URL does not point to a usable Redis (${cause}): correct the address, the password and the database number.`,
    );
  }
}
