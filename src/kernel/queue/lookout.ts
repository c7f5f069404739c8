import { Injectable, Logger } from '@nestjs/common';
import { Alarm } from './alarm.js';
import { Announcements } from './announcements.js';
import { definedQueues } from './job-definition.js';
import { QueueDriver } from './drivers/queue-driver.js';
import { QueueOptions } from './queue-options.js';

/** After something was announced, and while jobs wait that are due: what a transaction had locked is free by then. */
const LOOK_AGAIN_MS = 1_000;

/** One statement for all queues; times in milliseconds from now, negative for what is over, null for nothing. */
const OUTLOOK = `select
    exists (select from unnest($1::text[]) queue cross join lateral (select from background_jobs job
      where job.queue = queue and state = 'pending' and run_at <= now() limit 1) due) as "isDue",
    (select extract(epoch from min(next.run_at) - now()) * 1000 from unnest($1::text[]) queue cross join lateral (select run_at
      from background_jobs job where job.queue = queue and state = 'pending' and run_at > now() order by run_at limit 1) next)::float8 as "dueInMs",
    (select extract(epoch from min(lease_until) - now()) * 1000 from background_jobs where state in ('handed', 'running'))::float8 as "leaseInMs",
    exists (select from background_jobs where state = 'failed' and failed_at < now() - $2 * interval '1 day') as "isForgettable"`;

interface Outlook {
  readonly isDue: boolean;
  readonly dueInMs: number | null;
  readonly leaseInMs: number | null;
  readonly isForgettable: boolean;
}

/** Sleeps until a job is due or a lease ends; a look now and then is the net under all that is announced. */
@Injectable()
export class Lookout {
  private readonly logger = new Logger(Lookout.name);
  private readonly alarm: Alarm;
  private reap: (() => Promise<void>) | undefined;

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

  /** Begins to look, and to listen to other processes. */
  start(): void {
    // Where it cannot listen it looks all the same.
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

  /** Has `reap` called when a lease has ended or failed jobs are to be forgotten. */
  whenLost(reap: () => Promise<void>): void {
    this.reap = reap;
  }

  /** There are due jobs: false when this process cannot take them, so that others should be told. */
  wake(): boolean {
    this.expect(LOOK_AGAIN_MS);
    return this.driver.wake();
  }

  /** There may be something to do in so many milliseconds. */
  expect(inMs: number): void {
    this.alarm.ring(inMs);
  }

  /** Ends after the look that is under way. */
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
    const isLost = leaseInMs !== null && leaseInMs <= 0;
    if (this.reap && (isLost || isForgettable)) await this.reap();
    const times = [isDue ? LOOK_AGAIN_MS : null, dueInMs, this.reap ? leaseInMs : null];
    // A little later than that, or rounding would have it find nothing yet.
    return Math.min(...times.map((inMs) => Math.max(0, inMs ?? Number.POSITIVE_INFINITY) + 1));
  }
}
