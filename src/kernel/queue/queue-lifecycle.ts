import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Announcements } from './announcements.js';
import { JobRunner } from './running/job-runner.js';
import { Lookout } from './lookout.js';
import { QueueDriver } from './drivers/queue-driver.js';
import { QueuePool } from './outbox/queue-pool.js';
import { Reaper } from './outbox/reaper.js';

/** Starts the parts of the queue, and stops them in order before the database closes. */
@Injectable()
export class QueueLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly driver: QueueDriver,
    private readonly lookout: Lookout,
    private readonly announcements: Announcements,
    private readonly runner: JobRunner,
    private readonly reaper: Reaper,
    private readonly pool: QueuePool,
  ) {}

  onApplicationBootstrap(): void {
    this.driver.relay();
    this.lookout.start();
  }

  /** Runs jobs in this process. */
  startConsuming(): void {
    this.driver.consume(this.runner);
    this.lookout.whenLost(() => this.reaper.pass());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.driver.stopTaking();
    await this.lookout.stop();
    await this.runner.drain();
    await this.driver.close();
    await this.announcements.close();
    await this.pool.close();
  }
}
