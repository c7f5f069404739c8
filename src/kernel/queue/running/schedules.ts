import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { isTransient } from '#kernel/database/transient.js';
import { Announcements } from '../announcements.js';
import { definedJobs, isScheduled, type ScheduledJob } from '../job-definition.js';
import { leasedSql } from '../outbox/leased.sql.js';
import { QueuePool } from '../outbox/queue-pool.js';
import { Wakes } from '../outbox/wakes.js';
import { makeUpForMissed } from './missed-ticks.js';

/** Clocks that tick in the same second are milliseconds apart: this window gathers their jobs into one statement. */
const GATHER_MS = 30;
/** Delay of the clocks after the start: creating one takes milliseconds that the start of the service should not pay. */
const BEGIN_MS = 500;
/** Pause after which jobs that could not be enqueued are looked for. */
const AGAIN_MS = 5_000;
/** SQLSTATE of a canceled statement, which took too long. */
const QUERY_CANCELED = '57014';

/**
 * The worker that advances a schedule to this tick enqueues the job; a scheduled job that has not ended absorbs the next tick: one that hangs, on a
 * lost disk for example, would come again with each tick, until it takes all slots of its queue. A schedule over 15 minutes ahead dates from
 * before a clock was set back, and is replaced.
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
  select queue, job, payload, 'schedule' from tick join first using (job)
    where not exists (select from ${leasedSql('name, dedupe_key', 'running')} run where run.name = job and run.dedupe_key = 'schedule')
    order by job
  on conflict (name, dedupe_key) where dedupe_key is not null and state in ('pending', 'handed') do nothing
  returning id`;

interface Tick {
  readonly job: ScheduledJob;
  readonly planned: Date;
}

/** Enqueues each scheduled job at its times, once across all workers; a job with a condition only if the condition is true. */
@Injectable()
export class Schedules implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Schedules.name);
  private ticks: Tick[] = [];
  private beginning: NodeJS.Timeout | undefined;
  private again: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly pool: QueuePool,
    private readonly announcements: Announcements,
    private readonly wakes: Wakes,
  ) {}

  /** Starts the clocks after a short delay. */
  start(): void {
    this.beginning = setTimeout(() => this.begin(), BEGIN_MS);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearTimeout(this.beginning);
    clearTimeout(this.again);
  }

  /** Creates one clock for all jobs with the same times. */
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
    void this.makeUp();
  }

  /** Enqueues what has missed its tick; tries again later if that fails. */
  private async makeUp(): Promise<void> {
    this.again = undefined;
    try {
      if (await makeUpForMissed(this.pool, definedJobs().filter(isScheduled))) this.wakes.wake();
    } catch (error) {
      this.logger.debug(`Cannot make up for missed schedules: ${(error as Error).message}`);
      this.makeUpLater();
    }
  }

  private makeUpLater(): void {
    if (!this.isStopping) this.again ??= setTimeout(() => void this.makeUp(), AGAIN_MS);
  }

  private startClock(cronTime: string, timeZone: string, jobs: readonly ScheduledJob[]): CronJob {
    // Use the planned time rather than the time of the tick: only the planned time is the same in all workers.
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
      if (isTransient(error)) this.logger.warn(text);
      else this.logger.error(text);
      // The next tick may be a day away.
      this.makeUpLater();
    }
  }

  /** One statement evaluates the conditions of all of them. */
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
      const isCanceled = errorCode(error) === QUERY_CANCELED;
      if (isTransient(error) && !isCanceled) throw error;
      const text = `Cannot ask what scheduled jobs have to do: ${(error as Error).message}`;
      // A locked table passes by itself.
      if (isCanceled) this.logger.warn(text);
      else this.logger.error(text);
      // It is better to run a job without need than to miss one.
      return ticks;
    }
  }
}
