import { Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { isTransient } from '#kernel/database/transient.js';
import { definedJobs, type AnyJobDefinition } from './job-definition.js';
import { QueuePool } from './queue-pool.js';
import { Wakes } from './wakes.js';

/** Whoever moves the schedule past this tick enqueues; a tick that still waits absorbs the next one. */
const TICK = `with first as (
    insert into background_schedules (job, scheduled_at) values ($2, $4)
    on conflict (job) do update set scheduled_at = excluded.scheduled_at
      where background_schedules.scheduled_at < excluded.scheduled_at
    returning job)
  insert into background_jobs (queue, name, payload, dedupe_key) select $1, job, $3, 'schedule' from first
  on conflict (name, dedupe_key) where dedupe_key is not null and state in ('pending', 'handed') do nothing
  returning id`;

/** Enqueues scheduled jobs at their times, once however many workers tick. */
@Injectable()
export class Schedules {
  private readonly logger = new Logger(Schedules.name);

  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly pool: QueuePool,
    private readonly wakes: Wakes,
  ) {}

  /** Starts the clocks of all defined jobs that have a schedule. */
  start(): void {
    for (const job of definedJobs())
      if (job.schedule) this.startClock(job, job.schedule.cron, job.schedule.timezone);
  }

  private startClock(job: AnyJobDefinition, cronTime: string, timeZone = 'UTC'): void {
    // The time that was planned, not that of the tick: only the former is the same in all workers.
    const clock: CronJob = CronJob.from({
      cronTime,
      timeZone,
      onTick: () => {
        const planned = next;
        next = clock.nextDate().toJSDate();
        void this.tick(job, planned);
      },
    });
    let next = clock.nextDate().toJSDate();
    this.registry.addCronJob(job.name, clock);
    clock.start();
  }

  private async tick(job: AnyJobDefinition, planned: Date): Promise<void> {
    try {
      const values = [job.queue, job.name, JSON.stringify(job.schedule?.payload ?? {}), planned];
      if ((await this.pool.query('queue-tick', TICK, values)).length > 0) this.wakes.wake();
    } catch (error) {
      const text = `Cannot enqueue scheduled job ${job.name}: ${(error as Error).message}`;
      // The database is away for a moment: the next tick does it.
      if (isTransient(error)) this.logger.warn(text);
      else this.logger.error(text);
    }
  }
}
