import { Redis } from 'ioredis';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';

const TIMEOUT_MS = 5_000;

/** What Redis says to those that it will never let in, and what somebody says who is no Redis. */
const FINAL =
  /^(NOAUTH|WRONGPASS|NOPERM|ERR (AUTH|invalid password|DB index|Client sent AUTH)|Protocol error)/;

/** Works on a connection to Redis that is not opened again. @throws what stands in the way, in the words of the first to say so */
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
  // A database number that it does not have is told beside an answer.
  if (reasons[0]) throw reasons[0];
}

/** Asks Redis whether it can be used. @throws StartProblem for what does not pass by itself */
export async function askRedis(url: string): Promise<void> {
  try {
    await withRedis(url, async (redis) => {
      await redis.ping();
    });
  } catch (error) {
    const cause = causeOf(error);
    if (!FINAL.test(cause)) throw error;
    throw new StartProblem(
      `REDIS_URL leads to no Redis to work with (${cause}): correct address, password and number of the database.`,
    );
  }
}
