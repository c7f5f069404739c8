import { Injectable } from '@nestjs/common';
import { within } from '#kernel/time/within.js';
import { definedQueues } from '../job-definition.js';
import { QueuePool } from '../outbox/queue-pool.js';

/** State of a queue. */
export interface QueueStanding {
  readonly queue: string;
  /** Due jobs that have not started, including those in Redis; counted up to a little over 10,000. */
  readonly waiting: number;
  /** Age of the oldest of them. */
  readonly oldestSeconds: number;
  /** Jobs for later: delayed, or after a failed attempt; counted up to 10,001. */
  readonly delayed: number;
  readonly running: number;
  /** Jobs kept after their last attempt. */
  readonly failed: number;
  /** Since when none of its jobs has started; null while they do. */
  readonly pausedAt: Date | null;
  /** Whether this version has jobs for it; only then it can be paused. */
  readonly isKnown: boolean;
}

/** One statement every few seconds, however many callers there are. */
const FRESH_MS = 3_000;
const LONGEST_MS = 2_000;
const MOST = 10_001;

/** Queues with waiting jobs, one probe of the index each. */
const WAITING = `(select queue from background_jobs where state = 'pending' order by queue limit 1)
  union all select (select queue from background_jobs job where state = 'pending' and job.queue > waiting.queue order by queue limit 1)
    from waiting where waiting.queue is not null`;

/** Also of queues that this version does not know: their jobs wait until an operator discards them. */
const STANDINGS = `with recursive waiting (queue) as (${WAITING}),
  leased as materialized (
    select queue, count(*) filter (where state = 'running')::int as running, count(*) filter (where state = 'handed')::int as handed,
      min(run_at) filter (where state = 'handed') as oldest
    from background_jobs where state in ('handed', 'running') group by queue),
  failed as materialized (select queue, count(*)::int as failed from background_jobs where state = 'failed' group by queue),
  known (queue) as (select unnest($1::text[]) union select queue from waiting where queue is not null
    union select queue from leased union select queue from failed)
  select queue, due.count + coalesce(handed, 0) as waiting,
    coalesce(extract(epoch from now() - least(due.oldest, leased.oldest)), 0)::float8 as "oldestSeconds",
    later.count as delayed, coalesce(running, 0) as running, coalesce(failed, 0) as failed, paused_at as "pausedAt", queue = any($1::text[]) as "isKnown"
  from known queue
  cross join lateral (select count(*)::int as count, min(run_at) as oldest from (select run_at from background_jobs job
    where job.queue = queue.queue and state = 'pending' and run_at <= now() order by run_at limit ${MOST}) rows) due
  cross join lateral (select count(*)::int as count from (select from background_jobs job
    where job.queue = queue.queue and state = 'pending' and run_at > now() limit ${MOST}) rows) later
  left join leased using (queue) left join failed using (queue)
  left join paused_queues paused on paused.name = queue.queue order by queue`;

/** Provides the state of the queues, from the table that both drivers use. */
@Injectable()
export class QueueStates {
  private askedAt = Number.NEGATIVE_INFINITY;
  private answer: Promise<readonly QueueStanding[]> = Promise.resolve([]);

  constructor(private readonly pool: QueuePool) {}

  /** Returns the current state by queue name. @throws if PostgreSQL does not respond */
  now(): Promise<readonly QueueStanding[]> {
    return this.pool.query<QueueStanding & Record<string, unknown>>('queue-standings', STANDINGS, [
      definedQueues(),
    ]);
  }

  /** Returns a state that is at most some seconds old. @throws if PostgreSQL does not respond soon */
  lately(): Promise<readonly QueueStanding[]> {
    const now = performance.now();
    if (now - this.askedAt >= FRESH_MS) {
      this.askedAt = now;
      this.answer = within(LONGEST_MS, this.now(), () => Promise.reject(new Error('No answer')));
      this.answer.catch(() => undefined);
    }
    return this.answer;
  }
}
