import { Global, Module } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Config } from '#kernel/config/config.js';
import { Announcements } from './announcements.js';
import { Claims } from './claims.js';
import { EmbeddedDriver } from './embedded-driver.js';
import { FailedJobs } from './failed-jobs.js';
import { JobRunner } from './job-runner.js';
import { Jobs } from './jobs.js';
import { Leases } from './leases.js';
import { Lookout } from './lookout.js';
import { QueueDriver } from './queue-driver.js';
import { QueueHealth } from './queue-health.js';
import { QueueLifecycle } from './queue-lifecycle.js';
import { QueueOptions } from './queue-options.js';
import { QueuePool } from './queue-pool.js';
import { Reaper } from './reaper.js';
import { Runs } from './runs.js';
import { Wakes } from './wakes.js';

/** Bull and what speaks to Redis are loaded where there is a Redis. */
async function openDriver(
  { REDIS_URL: url }: Config,
  claims: Claims,
  options: QueueOptions,
  modules: LazyModuleLoader,
): Promise<QueueDriver> {
  if (url === undefined) return new EmbeddedDriver(claims);
  const { BullDriver } = await import('./bull-driver.js');
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
    FailedJobs,
    QueueLifecycle,
  ],
  exports: [
    Announcements,
    Jobs,
    QueueHealth,
    FailedJobs,
    JobRunner,
    QueueLifecycle,
    QueueOptions,
    QueuePool,
    Wakes,
  ],
})
export class QueueModule {}
