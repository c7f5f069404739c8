import type { Redis } from 'ioredis';
import { logger } from '#kernel/log/logger.js';
import { openRedis } from '#kernel/redis/open-redis.js';
import { MemoryWindows, type Window, type WindowStore } from './memory-windows.js';

/** Also repairs a key that has lost its expiry. */
const HIT = `
local count = redis.call('incrby', KEYS[1], ARGV[2])
local left = redis.call('pttl', KEYS[1])
if left < 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;

const PREFIX = 'forgeplane:rate:';
const COMMAND_TIMEOUT_MS = 250;
/** After a failure Redis is not used for this long, so that requests do not wait for it one by one. */
const PAUSE_MS = 1000;

type HitCommand = (
  key: string,
  periodMs: number,
  weight: number,
) => Promise<[count: number, remainingMs: number]>;

/** Windows shared by all processes. Without Redis each process counts for itself until it is back. */
export class RedisWindows implements WindowStore {
  private readonly redis: Redis;
  private readonly hitCommand: HitCommand;
  private readonly fallback = new MemoryWindows();
  private pausedUntil = 0;
  private failing = false;

  constructor(url: string) {
    this.redis = openRedis(url, {
      connectionName: 'forgeplane-limits',
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 5_000,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    this.redis.on('error', (error: Error) => this.failed(error));
    this.redis.defineCommand('countHit', { numberOfKeys: 1, lua: HIT });
    const { countHit } = this.redis as unknown as { countHit: HitCommand };
    this.hitCommand = countHit.bind(this.redis);
  }

  /** Connects; also returns if Redis cannot be reached, and retries in the background. */
  async connect(): Promise<void> {
    await this.redis.connect().catch((error: unknown) => this.failed(error));
  }

  async hit(key: string, periodMs: number, weight = 1): Promise<Window> {
    return this.ask(
      async () => {
        const [count, remainingMs] = await this.hitCommand(PREFIX + key, periodMs, weight);
        return { count, remainingMs };
      },
      () => this.fallback.hit(key, periodMs, weight),
    );
  }

  async look(key: string): Promise<Window | null> {
    return this.ask(
      async () => {
        const [count, remainingMs] = await Promise.all([
          this.redis.get(PREFIX + key),
          this.redis.pttl(PREFIX + key),
        ]);
        return remainingMs > 0 ? { count: Number(count), remainingMs } : null;
      },
      () => this.fallback.look(key),
    );
  }

  /** Uses Redis, or the fallback while it does not respond. */
  private async ask<T>(redis: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    if (performance.now() >= this.pausedUntil) {
      try {
        const answer = await redis();
        this.recovered();
        return answer;
      } catch (error) {
        this.failed(error);
      }
    }
    return otherwise();
  }

  /** Fails when Redis does not answer. */
  async ping(): Promise<void> {
    await this.redis.ping();
  }

  close(): void {
    this.redis.disconnect();
  }

  private failed(error: unknown): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    if (this.failing) return;
    this.failing = true;
    logger.warn({ error }, 'Redis is not available: rate limits are counted by each process for itself');
  }

  private recovered(): void {
    if (!this.failing) return;
    this.failing = false;
    logger.info('Redis is available again: rate limits are shared');
  }
}
