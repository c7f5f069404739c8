import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { MemoryWindows, type WindowStore } from './memory-windows.js';
import { RateLimiter } from './rate-limiter.js';
import type { RedisWindows } from './redis-windows.js';

const WINDOWS = Symbol('rate limit windows');

/** What speaks to Redis is loaded where there is one. */
async function openWindows(config: Config): Promise<MemoryWindows | RedisWindows> {
  if (config.REDIS_URL === undefined) return new MemoryWindows();
  const { RedisWindows } = await import('./redis-windows.js');
  const windows = new RedisWindows(config.REDIS_URL);
  await windows.connect();
  return windows;
}

/** Offers the RateLimiter everywhere: on Redis where there is one, in memory otherwise. Needs the HealthModule. */
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
    @Inject(WINDOWS) private readonly windows: MemoryWindows | RedisWindows,
    private readonly health: HealthChecks,
  ) {}

  onModuleInit(): void {
    const { windows } = this;
    if (!(windows instanceof MemoryWindows)) this.health.register('redis', () => windows.ping());
  }

  onApplicationShutdown(): void {
    if (!(this.windows instanceof MemoryWindows)) this.windows.close();
  }
}
