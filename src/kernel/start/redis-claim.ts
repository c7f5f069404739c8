import { StartProblem } from '#kernel/config/start-problem.js';
import { logger } from '#kernel/log/logger.js';
import { withRedis } from './redis.js';

const KEY = 'forgeplane:installation';
const ENDS_AFTER_MS = 60_000;
/** Several attempts may fail before the claim ends. */
const RENEW_EVERY_MS = 15_000;

const PROBLEM =
  'REDIS_URL leads to a Redis that another installation uses (one with another database), and each would take the jobs of the other';
const REMEDY =
  'give this one a Redis of its own, or another number of a database at the end of REDIS_URL. If the other one has been stopped for good, start this one again in a minute.';

/**
 * Claims the Redis for the installation with this mark, for as long as one of its processes lives and a minute longer. A Redis out of
 * reach, or one that has lost its data, is claimed when it is back. Returns the end of the renewals.
 * @throws StartProblem if another installation has claimed it
 */
export async function claimRedis(
  url: string,
  mark: string,
  renewEveryMs = RENEW_EVERY_MS,
): Promise<() => void> {
  let isOurs = true;
  const renew = async (): Promise<void> => {
    const wasOurs = isOurs;
    isOurs = await isClaimed(url, mark);
    if (wasOurs && !isOurs) logger.error(`${PROBLEM}. Stop one of them`);
  };
  if (!(await isClaimed(url, mark))) throw new StartProblem(`${PROBLEM}: ${REMEDY}`);
  let isRenewing = false;
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    void renew().finally(() => (isRenewing = false));
  }, renewEveryMs).unref();
  return () => clearInterval(timer);
}

/** Claims, or renews; false only if the claim of another is certain. */
async function isClaimed(url: string, mark: string): Promise<boolean> {
  let isFree = true;
  await withRedis(url, async (redis) => {
    // Read first: a full Redis takes no key, but prolongs one.
    let holder = await redis.get(KEY);
    if (holder === null) {
      await redis.set(KEY, mark, 'PX', ENDS_AFTER_MS, 'NX');
      holder = await redis.get(KEY);
    }
    isFree = holder === null || holder === mark;
    if (holder === mark) await redis.pexpire(KEY, ENDS_AFTER_MS);
  }).catch((error: unknown) => logger.debug({ error }, 'The claim on Redis was not renewed'));
  return isFree;
}
