import { Global, Module } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Config } from '#kernel/config/config.js';
import { Announcements } from './announcements.js';
import { JobConsole } from './console/job-console.js';
import { JobListing } from './console/job-listing.js';
import { QueueMetrics } from './console/queue-metrics.js';
import { QueueStates } from './console/queue-states.js';
import { Claims } from './outbox/claims.js';
import { EmbeddedDriver } from './drivers/embedded-driver.js';
import { JobRunner } from './running/job-runner.js';
import { Jobs } from './jobs.js';
import { Leases } from './outbox/leases.js';
import { Lookout } from './lookout.js';
import { QueueDriver } from './drivers/queue-driver.js';
import { QueueHealth } from './queue-health.js';
import { QueueLifecycle } from './queue-lifecycle.js';
import { QueueOptions } from './queue-options.js';
import { QueuePool } from './outbox/queue-pool.js';
import { Reaper } from './outbox/reaper.js';
import { Runs } from './outbox/runs.js';
import { Wakes } from './outbox/wakes.js';

/** Bull and the Redis client are loaded only if Redis is configured. */
async function openDriver(
  { REDIS_URL: url }: Config,
  claims: Claims,
  options: QueueOptions,
  modules: LazyModuleLoader,
): Promise<QueueDriver> {
  if (url === undefined) return new EmbeddedDriver(claims);
  const { BullDriver } = await import('./drivers/bull-driver.js');
  return new BullDriver(url, claims, options, modules);
}

/** Enqueues and relays jobs; processes that run them import QueueWorkerModule as well. */
@Global()
@Module({
  providers: [
    {
      provide: QueueOptions,
      inject: [Config],
      useFactory: (config: Config) => new QueueOptions(config.STOP_TIMEOUT_SECONDS),
    },
    {
      provide: QueueDriver,
      inject: [Config, Claims, QueueOptions, LazyModuleLoader],
      useFactory: openDriver,
    },
    QueuePool,
    Claims,
    Runs,
    Leases,
    Announcements,
    Lookout,
    Wakes,
    Jobs,
    JobRunner,
    Reaper,
    QueueHealth,
    QueueStates,
    QueueMetrics,
    JobConsole,
    JobListing,
    QueueLifecycle,
  ],
  exports: [
    Announcements,
    Jobs,
    QueueHealth,
    JobConsole,
    JobListing,
    JobRunner,
    QueueLifecycle,
    QueueOptions,
    QueuePool,
    QueueStates,
    Wakes,
  ],
})
export class QueueModule {}
