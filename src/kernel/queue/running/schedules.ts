import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { errorCode } from '#kernel/database/transactions.js';
import { isTransient } from '#kernel/database/transient.js';
import { Announcements } from '../announcements.js';
import { definedJobs, type AnyJobDefinition } from '../job-definition.js';
import { QueuePool } from '../outbox/queue-pool.js';
import { Wakes } from '../outbox/wakes.js';

/** Clocks that tick in the same second are some milliseconds apart: what they want is asked and written at once. */
const GATHER_MS = 30;
/** A cold clock costs some milliseconds, and no time is so near that it could not wait until the service is up. */
const BEGIN_MS = 500;
/** SQLSTATE of what took too long. */
const QUERY_CANCELED = '57014';

/**
 * Whoever moves a schedule past this tick enqueues; a tick that still waits absorbs the next one. A schedule that is further ahead than clocks of
 * workers may differ is one from before a clock was set back.
 */
const TICK = `with tick as (
    select * from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[]) as tick(queue, job, payload, planned)),
  first as (
    insert into background_schedules (job, scheduled_at) select job, planned from tick order by job
    on conflict (job) do update set scheduled_at = excluded.scheduled_at
      where background_schedules.scheduled_at < excluded.scheduled_at
        or background_schedules.scheduled_at > excluded.scheduled_at + interval '15 minutes'
    returning job)
  insert into background_jobs (queue, name, payload, dedupe_key)
  select queue, job, payload, 'schedule' from tick join first using (job) order by job
  on conflict (name, dedupe_key) where dedupe_key is not null and state in ('pending', 'handed') do nothing
  returning id`;

type ScheduledJob = AnyJobDefinition & Required<Pick<AnyJobDefinition, 'schedule'>>;

interface Tick {
  readonly job: ScheduledJob;
  readonly planned: Date;
}

/** Enqueues scheduled jobs at their times, once however many workers tick; those that say when they have work, only then. */
@Injectable()
export class Schedules implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Schedules.name);
  private ticks: Tick[] = [];
  private beginning: NodeJS.Timeout | undefined;

  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly pool: QueuePool,
    private readonly announcements: Announcements,
    private readonly wakes: Wakes,
  ) {}

  /** Starts the clocks a moment later. */
  start(): void {
    this.beginning = setTimeout(() => this.begin(), BEGIN_MS);
  }

  beforeApplicationShutdown(): void {
    clearTimeout(this.beginning);
  }

  /** One for all jobs of the same times. */
  private begin(): void {
    const started = new Map<string, ScheduledJob[]>();
    for (const job of definedJobs().filter(isScheduled)) {
      const { cron, timezone = 'UTC' } = job.schedule;
      const times = `${cron} ${timezone}`;
      const jobs = started.get(times);
      if (jobs) jobs.push(job);
      else {
        const first = [job];
        started.set(times, first);
        this.registry.addCronJob(times, this.startClock(cron, timezone, first));
      }
    }
  }

  private startClock(cronTime: string, timeZone: string, jobs: readonly ScheduledJob[]): CronJob {
    // The time that was planned, not that of the tick: only the former is the same in all workers.
    const clock: CronJob = CronJob.from({
      cronTime,
      timeZone,
      onTick: () => {
        this.gather(jobs, next);
        next = clock.nextDate().toJSDate();
      },
    });
    let next = clock.nextDate().toJSDate();
    clock.start();
    return clock;
  }

  private gather(jobs: readonly ScheduledJob[], planned: Date): void {
    if (this.ticks.length === 0) setTimeout(() => void this.tick(this.ticks.splice(0)), GATHER_MS);
    for (const job of jobs) this.ticks.push({ job, planned });
  }

  private async tick(ticks: readonly Tick[]): Promise<void> {
    try {
      const wanted = await this.wanted(ticks);
      if (wanted.length === 0) return;
      const values = [
        wanted.map(({ job }) => job.queue),
        wanted.map(({ job }) => job.name),
        wanted.map(({ job }) => JSON.stringify(job.schedule.payload)),
        wanted.map(({ planned }) => planned),
      ];
      if ((await this.pool.query('queue-tick', TICK, values)).length > 0) this.wakes.wake();
    } catch (error) {
      const names = ticks.map(({ job }) => job.name).join(', ');
      const text = `Cannot enqueue scheduled jobs ${names}: ${(error as Error).message}`;
      // The database is away for a moment: the next tick does it.
      if (isTransient(error)) this.logger.warn(text);
      else this.logger.error(text);
    }
  }

  /** One statement asks for all of them whether there is anything to do. */
  private async wanted(ticks: readonly Tick[]): Promise<readonly Tick[]> {
    const asked = ticks.filter(({ job }) => job.schedule.when !== undefined);
    if (asked.length === 0) return ticks;
    const questions = asked.map(({ job }) => `(${job.schedule.when ?? 'true'})`);
    try {
      const [row] = await this.announcements.ask<{ answers: boolean[] }>(
        `select array[${questions.join(', ')}] as answers`,
      );
      const idle = new Set(asked.filter((_tick, index) => row?.answers[index] === false));
      return ticks.filter((tick) => !idle.has(tick));
    } catch (error) {
      if (isTransient(error) && errorCode(error) !== QUERY_CANCELED) throw error;
      // Work that is done for nothing is better than none that is done.
      this.logger.error(`Cannot ask what scheduled jobs have to do: ${(error as Error).message}`);
      return ticks;
    }
  }
}

const isScheduled = (job: AnyJobDefinition): job is ScheduledJob => job.schedule !== undefined;
