import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import { widerThanOurs } from '#kernel/config/own-folders.js';
import type { Config } from '#kernel/config/config.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { problemOf, type Finding } from './finding.js';

/** Checks everything that the service keeps outside of its database. */
export async function checkSurroundings(config: Config): Promise<Finding[]> {
  return [
    { check: 'the object storage can be written', problem: await problemOf(() => writeObject(config)) },
    {
      check: 'the repository storages can be written',
      problem: await problemOf(() => checkFolders(config)),
    },
    {
      check: 'files are for the service alone',
      problem: widerThanOurs(config).join('; ') || null,
    },
    ...(config.REDIS_URL === undefined
      ? []
      : [
          {
            check: 'Redis answers and keeps what it is given',
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

/** A storage that does not exist yet is made by its first repository: then the folder above must allow it. */
function checkFolders(config: Config): Promise<void> {
  const problems: string[] = [];
  for (const [name, path] of config.repositoryStorages) {
    let folder = path;
    while (!existsSync(folder)) folder = dirname(folder);
    try {
      if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
      accessSync(folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  return problems.length === 0 ? Promise.resolve() : Promise.reject(new Error(problems.join('; ')));
}

async function checkRedis(url: string): Promise<string | null> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const reasons: string[] = [];
  redis.on('error', (error) => reasons.push(error.message));
  const problem = await problemOf(async () => {
    await redis.connect();
    const memory = await redis.info('memory');
    const policy = /maxmemory_policy:(\S+)/.exec(memory)?.[1];
    if (policy !== undefined && policy !== 'noeviction')
      throw new Error(`maxmemory-policy is ${policy}: jobs could be thrown away, set noeviction`);
  });
  redis.disconnect();
  return problem === null ? null : (reasons[0] ?? problem);
}
