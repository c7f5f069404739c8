import { describe } from '@jest/globals';
import { Redis } from 'ioredis';

/** A database number of one test file in the Redis of the run. */
export interface TestRedis {
  url: string;
  /** Empties it. */
  drop(): Promise<void>;
}

const server = process.env['TEST_REDIS_URL'];

/** `describe` where the run has a Redis; otherwise its tests are reported as skipped. */
export const describeWithRedis = server === undefined ? describe.skip : describe;

/** A separate empty Redis database for one test file, or undefined if the run has no Redis. */
export async function createTestRedis(): Promise<TestRedis | undefined> {
  if (server === undefined) return undefined;
  const base = server.replace(/\/\d*$/, '');
  const counter = new Redis(base);
  const answer = (await counter.config('GET', 'databases')) as string[];
  // Database 0 holds the counter.
  const database =
    1 + (((await counter.incr('forgeplane:test:databases')) - 1) % (Number(answer[1] ?? 16) - 1));
  counter.disconnect();
  const url = `${base}/${database}`;
  await flush(url);
  return { url, drop: () => flush(url) };
}

async function flush(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushdb();
  client.disconnect();
}
