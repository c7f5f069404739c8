import { Injectable, Logger } from '@nestjs/common';
import { Claims } from './claims.js';
import type { ClaimedJob } from './claimed-job.js';
import { WorkerLost } from '../job-processor.js';
import { JobRunner } from '../running/job-runner.js';
import { QueueDriver } from '../drivers/queue-driver.js';
import { QueueOptions } from '../queue-options.js';
import { QueuePool } from './queue-pool.js';
import { Runs } from './runs.js';
import { Wakes } from './wakes.js';

const FORGET = `delete from background_jobs where id = any(array(select id from background_jobs
  where state = 'failed' and failed_at < now() - $1 * interval '1 day' limit 1000))`;

/** Recovers jobs that a dead worker or Redis lost, from the state in PostgreSQL alone; several reapers may run at once. */
@Injectable()
export class Reaper {
  private readonly logger = new Logger(Reaper.name);

  constructor(
    private readonly claims: Claims,
    private readonly runs: Runs,
    private readonly runner: JobRunner,
    private readonly driver: QueueDriver,
    private readonly wakes: Wakes,
    private readonly pool: QueuePool,
    private readonly options: QueueOptions,
  ) {}

  /** Recovers lost jobs once, and deletes failed jobs after their retention. Returns whether it could take any. */
  async pass(): Promise<boolean> {
    const dead = await this.runs.takeOverDead();
    await Promise.all(dead.map((claimed) => this.recover(claimed)));
    const checked = await this.checkHandovers();
    await this.pool.query('queue-forget', FORGET, [this.options.keepFailedDays]);
    return dead.length + checked > 0;
  }

  /** Never throws: no job may keep the others waiting until their leases expire again. */
  private async recover(claimed: ClaimedJob): Promise<void> {
    this.logger.warn(`The worker of job ${claimed.name} ${claimed.id} is gone (${claimed.stalls})`);
    if (claimed.stalls > this.options.maxStalls) this.runner.abandon(claimed, new WorkerLost(claimed.stalls));
    else await this.runner.giveBack(claimed);
  }

  private async checkHandovers(): Promise<number> {
    const stale = await this.claims.stale();
    if (stale.length === 0) return 0;
    const lost = await this.driver.lost(stale);
    if (lost.length > 0) {
      this.logger.warn(`${lost.length} jobs were lost on their way and are handed out again`);
      await this.claims.handBack(lost);
      this.wakes.wake();
    }
    return stale.length;
  }
}
