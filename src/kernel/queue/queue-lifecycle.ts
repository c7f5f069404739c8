import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Claims } from './claims.js';
import { definedQueues } from './job-definition.js';
import { JobRunner } from './job-runner.js';
import { QueueDriver } from './queue-driver.js';
import { QueueOptions } from './queue-options.js';
import { QueuePool } from './queue-pool.js';
import { Reaper } from './reaper.js';
import { Wakes } from './wakes.js';

/** Starts the parts of the queue and stops them in order, all of it before the database closes. */
@Injectable()
export class QueueLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueLifecycle.name);
  private pollTimer: NodeJS.Timeout | undefined;
  private dueTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly driver: QueueDriver,
    private readonly wakes: Wakes,
    private readonly runner: JobRunner,
    private readonly reaper: Reaper,
    private readonly claims: Claims,
    private readonly pool: QueuePool,
    private readonly options: QueueOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.driver.relay();
    void this.wakes.listen();
    this.pollTimer = setInterval(() => void this.poll(), this.options.pollMs);
  }

  /** Runs jobs in this process. */
  startConsuming(): void {
    this.driver.consume(this.runner);
    this.reaper.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.pollTimer);
    clearTimeout(this.dueTimer);
    await this.driver.stopTaking();
    await this.reaper.stop();
    await this.runner.drain();
    await this.driver.close();
    await this.wakes.close();
    await this.pool.close();
  }

  /** The net under all wake-ups, and the clock of delayed jobs. */
  private async poll(): Promise<void> {
    this.driver.wake();
    try {
      const inMs = await this.claims.nextDue(definedQueues(), this.options.pollMs);
      clearTimeout(this.dueTimer);
      if (inMs !== undefined) this.dueTimer = setTimeout(() => this.driver.wake(), inMs + 1);
    } catch (error) {
      this.logger.debug(`Cannot poll for jobs: ${(error as Error).message}`);
    }
  }
}
