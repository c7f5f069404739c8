import type { Redis } from 'ioredis';
import { widerThanOurs } from '#kernel/config/own-folders.js';
import type { Config } from '#kernel/config/config.js';
import { storageProblems } from '#kernel/start/folders.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { foundInTime, problemInTime, problemOf, type Finding } from './finding.js';

/** Checks everything that the service keeps outside its database. */
export async function checkSurroundings(config: Config): Promise<Finding[]> {
  return [
    { check: 'the object storage is writable', problem: await problemInTime(() => writeObject(config)) },
    {
      check: 'the repository storages are writable',
      problem: await problemInTime(() => checkStorages(config)),
    },
    {
      check: 'only the service can access its files',
      problem: await foundInTime(() => widerThanOurs(config), '; '),
    },
    ...(config.REDIS_URL === undefined
      ? []
      : [
          {
            check: 'Redis responds and does not evict data',
            problem: await checkRedis(config.REDIS_URL),
          },
        ]),
  ];
}

async function writeObject(config: Config): Promise<void> {
  const storage = await openObjectStorage(config);
  try {
    await storage.checkWritable();
  } finally {
    storage.close();
  }
}

async function checkStorages(config: Config): Promise<void> {
  const problems = await storageProblems(config);
  if (problems.length > 0) throw new Error(problems.join('; '));
}

async function checkRedis(url: string): Promise<string | null> {
  const { withRedis } = await import('#kernel/start/redis.js');
  return problemOf(() => withRedis(url, checkPolicy));
}

async function checkPolicy(redis: Redis): Promise<void> {
  const memory = await redis.info('memory');
  const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1];
  if (policy !== undefined && policy !== 'noeviction')
    throw new Error(`maxmemory-policy is ${policy}: jobs could be evicted, set noeviction`);
}
