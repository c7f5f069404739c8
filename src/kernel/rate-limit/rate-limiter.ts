import { createHash } from 'node:crypto';
import type { Window, WindowStore } from './memory-windows.js';

/** Result of a hit. */
export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  /** Hits in this window, including rejected ones. */
  readonly observed: number;
  readonly remaining: number;
  /** End of the window, in seconds since the epoch. */
  readonly resetAt: number;
  /** Seconds until then, at least 1. */
  readonly retryAfter: number;
}

/** Longer keys (they may come from users) are hashed. */
const MAX_KEY = 64;

/** Counts events against a limit per period: rate limits by address, user or project. */
export class RateLimiter {
  constructor(private readonly store: WindowStore) {}

  /**
   * Counts one hit, or `weight` hits, of `key` on the limit `name`; the first `limit` hits of a period are
   * allowed.
   */
  async hit(
    name: string,
    key: string,
    limit: number,
    periodSeconds: number,
    weight = 1,
  ): Promise<RateLimitResult> {
    const window = await this.store.hit(keyOf(name, key), periodSeconds * 1000, weight);
    return resultOf(window, limit, window.count <= limit);
  }

  /**
   * Returns whether a further hit would be allowed, without counting one. For limits that count failures
   * only.
   */
  async look(name: string, key: string, limit: number): Promise<RateLimitResult> {
    const window = (await this.store.look(keyOf(name, key))) ?? { count: 0, remainingMs: 0 };
    return resultOf(window, limit, window.count < limit);
  }
}

function keyOf(name: string, key: string): string {
  return `${name}:${key.length > MAX_KEY ? createHash('sha256').update(key).digest('base64url') : key}`;
}

function resultOf({ count, remainingMs }: Window, limit: number, allowed: boolean): RateLimitResult {
  return {
    allowed,
    limit,
    observed: count,
    remaining: Math.max(0, limit - count),
    resetAt: Math.ceil((Date.now() + remainingMs) / 1000),
    retryAfter: Math.max(1, Math.ceil(remainingMs / 1000)),
  };
}
