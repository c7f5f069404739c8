import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { primaryLink } from '#kernel/cluster/primary-link.js';
import { Config } from '#kernel/config/config.js';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { MemoryWindows, type WindowStore } from './memory-windows.js';
import { PrimaryWindows } from './primary-windows.js';
import { RateLimiter } from './rate-limiter.js';
import type { RedisWindows } from './redis-windows.js';

const WINDOWS = Symbol('rate limit windows');

/** The Redis client is loaded only if Redis is configured. */
async function openWindows(config: Config): Promise<WindowStore | RedisWindows> {
  if (config.REDIS_URL === undefined)
    return primaryLink ? new PrimaryWindows(primaryLink) : new MemoryWindows();
  const { RedisWindows } = await import('./redis-windows.js');
  const windows = new RedisWindows(config.REDIS_URL);
  await windows.connect();
  return windows;
}

const isOnRedis = (windows: WindowStore | RedisWindows): windows is RedisWindows => 'ping' in windows;

/**
 * Provides the RateLimiter globally: with Redis if configured, otherwise in the memory of the primary, or of
 * a process that serves alone. Needs the HealthModule.
 */
@Global()
@Module({
  providers: [
    { provide: WINDOWS, inject: [Config], useFactory: openWindows },
    {
      provide: RateLimiter,
      inject: [WINDOWS],
      useFactory: (windows: WindowStore) => new RateLimiter(windows),
    },
  ],
  exports: [RateLimiter],
})
export class RateLimitModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(WINDOWS) private readonly windows: WindowStore | RedisWindows,
    private readonly health: HealthChecks,
  ) {}

  onModuleInit(): void {
    const { windows } = this;
    if (isOnRedis(windows)) this.health.register('redis', () => windows.ping(), 'some');
  }

  onApplicationShutdown(): void {
    if (isOnRedis(this.windows)) this.windows.close();
  }
}
