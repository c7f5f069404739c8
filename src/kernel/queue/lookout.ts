import { Injectable, Logger } from '@nestjs/common';
import { Alarm } from './alarm.js';
import { Announcements } from './announcements.js';
import { definedQueues } from './job-definition.js';
import { QueueDriver } from './drivers/queue-driver.js';
import { QueueOptions } from './queue-options.js';

/**
 * Delay after an announcement, and while due jobs or expired leases wait: what a transaction had locked is
 * unlocked by then.
 */
const LOOK_AGAIN_MS = 1_000;

/**
 * One statement for all queues that are not paused; times in milliseconds from now, negative if past, null if
 * none.
 */
const OUTLOOK = `with open as (select asked.name from unnest($1::text[]) asked(name)
    where not exists (select from paused_queues paused where paused.name = asked.name))
  select
    exists (select from open cross join lateral (select from background_jobs job
      where job.queue = open.name and state = 'pending' and run_at <= now() limit 1) due) as "isDue",
    (select extract(epoch from min(next.run_at) - now()) * 1000 from open cross join lateral (select run_at
      from background_jobs job where job.queue = open.name and state = 'pending' and run_at > now() order by run_at limit 1) next)::float8 as "dueInMs",
    (select extract(epoch from min(lease_until) - now()) * 1000 from background_jobs where state in ('handed', 'running'))::float8 as "leaseInMs",
    exists (select from background_jobs where state = 'failed' and failed_at < now() - $2 * interval '1 day') as "isForgettable"`;

interface Outlook {
  readonly isDue: boolean;
  readonly dueInMs: number | null;
  readonly leaseInMs: number | null;
  readonly isForgettable: boolean;
}

/** Sleeps until a job is due or a lease expires; polling makes up for lost announcements. */
@Injectable()
export class Lookout {
  private readonly logger = new Logger(Lookout.name);
  private readonly alarm: Alarm;
  private reap: (() => Promise<boolean>) | undefined;

  constructor(
    private readonly driver: QueueDriver,
    private readonly announcements: Announcements,
    private readonly options: QueueOptions,
  ) {
    this.alarm = new Alarm(
      () => this.look(),
      options.pollMs,
      (error) => this.logger.debug(`Cannot look for jobs: ${(error as Error).message}`),
    );
  }

  /** Starts polling and listening to other processes. */
  start(): void {
    // Polls even if it cannot listen.
    this.alarm.start(LOOK_AGAIN_MS);
    this.driver.whenReturned(() => {
      this.expect(0);
      this.announcements.send(0);
    });
    this.announcements.listen({
      onJobs: (delayMs) => (delayMs > 0 ? this.expect(delayMs) : this.wake()),
      onReconnect: () => this.expect(0),
    });
  }

  /**
   * Sets the callback for an expired lease and for failed jobs past their retention; it returns whether it found
   * any lease that it could take.
   */
  whenLost(reap: () => Promise<boolean>): void {
    this.reap = reap;
  }

  /** Handles due jobs; false if this process cannot take them, so that others should be notified. */
  wake(): boolean {
    this.expect(LOOK_AGAIN_MS);
    return this.driver.wake();
  }

  /** Schedules a check in the given number of milliseconds. */
  expect(inMs: number): void {
    this.alarm.ring(inMs);
  }

  /** Stops after the running check. */
  async stop(): Promise<void> {
    await this.alarm.stop();
  }

  private async look(): Promise<number | undefined> {
    if (!this.driver.takes()) return undefined;
    const [outlook] = await this.announcements.ask<Outlook>(
      OUTLOOK,
      [definedQueues(), this.options.keepFailedDays],
      'queue-outlook',
    );
    if (!outlook) return undefined;
    const { isDue, dueInMs, leaseInMs, isForgettable } = outlook;
    if (isDue && !this.driver.wake()) this.announcements.send(0);
    const { reap } = this;
    const isLost = reap !== undefined && leaseInMs !== null && leaseInMs <= 0;
    const hasTaken = reap && (isLost || isForgettable) ? await reap() : false;
    const waits = isDue || (isLost && !hasTaken);
    const times = [waits ? LOOK_AGAIN_MS : null, dueInMs, reap && (hasTaken || !isLost) ? leaseInMs : null];
    // Slightly later, or rounding would make the check find nothing yet.
    return Math.min(...times.map((inMs) => Math.max(0, inMs ?? Number.POSITIVE_INFINITY) + 1));
  }
}
