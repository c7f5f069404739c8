import { CronTime } from 'cron';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ScheduledJob } from '../job-definition.js';
import type { QueuePool } from '../outbox/queue-pool.js';

/** Time of the last tick of each job; of one that never ticked, the time from which its next one is due. */
const KNOWN = `with given as (select unnest($1::text[]) as job),
  first as (insert into background_schedules (job, scheduled_at) select job, $2::timestamptz from given order by job
    on conflict (job) do nothing)
  select job, scheduled_at as at from given join background_schedules using (job)`;
/** The process that replaces the time that was read enqueues the job. */
const MAKE_UP = `with missed as (
    select * from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[]) as missed(queue, job, payload, at)),
  first as (
    update background_schedules known set scheduled_at = $5 from missed
    where known.job = missed.job and known.scheduled_at = missed.at returning known.job)
  insert into background_jobs (queue, name, payload, dedupe_key)
  select queue, job, payload, 'schedule' from missed join first using (job) order by job
  on conflict (name, dedupe_key) where dedupe_key is not null and state in ('pending', 'handed') do nothing
  returning id`;

/**
 * Enqueues, once across all workers, the jobs that have missed a tick since their last one, because no worker ran or
 * the database was unavailable; only those that tick rarely. Returns whether there were any.
 */
export async function makeUpForMissed(pool: QueuePool, jobs: readonly ScheduledJob[]): Promise<boolean> {
  const now = new Date();
  const rare = new Map(jobs.filter(isRare).map((job) => [job.name, job]));
  const known = await pool.query<{ job: string; at: Date }>('queue-ticked', KNOWN, [[...rare.keys()], now]);
  const missed: { job: ScheduledJob; at: Date }[] = [];
  for (const { job: name, at } of known) {
    // Each takes milliseconds to compute.
    await breathe();
    const job = rare.get(name);
    if (job && nextAfter(job, at) <= now) missed.push({ job, at });
  }
  if (missed.length === 0) return false;
  const values = [
    missed.map(({ job }) => job.queue),
    missed.map(({ job }) => job.name),
    missed.map(({ job }) => JSON.stringify(job.schedule.payload)),
    missed.map(({ at }) => at),
    now,
  ];
  return (await pool.query('queue-make-up', MAKE_UP, values)).length > 0;
}

/** A job of every hour or more often soon makes up for a missed tick by itself: it names minutes only. */
const isRare = ({ schedule }: ScheduledJob): boolean =>
  schedule.cron
    .split(' ')
    .slice(-4)
    .some((field) => field !== '*');

function nextAfter({ schedule: { cron, timezone = 'UTC' } }: ScheduledJob, time: Date): Date {
  return new CronTime(cron, timezone).getNextDateFrom(time, timezone).toJSDate();
}
