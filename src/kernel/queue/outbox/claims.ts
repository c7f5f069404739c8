import { Injectable } from '@nestjs/common';
import { batcher } from './batcher.js';
import { CLAIMED_COLUMNS, type ClaimedJob, type Handover } from './claimed-job.js';
import { leasedSql } from './leased.sql.js';
import { QueueOptions } from '../queue-options.js';
import { QueuePool } from './queue-pool.js';

/**
 * Due rows of queues, each with its number of free slots, oldest first; rows locked by others are
 * skipped.
 */
const dueIn = (queues: string): string => `select due.id from (${queues} offset 0) open cross join lateral (
  select id from background_jobs where queue = open.queue and state = 'pending' and run_at <= now()
  order by run_at, id limit open.free for update skip locked) due`;

const isOpen = (queue: string): string =>
  `not exists (select from paused_queues paused where paused.name = ${queue})`;

const ASKED = `select queue, free from unnest($1::text[], $2::integer[]) as asked(queue, free) where ${isOpen('queue')}`;

/**
 * Redis holds a limited number of jobs of a queue. They are counted only if there are due ones: the oldest of each queue is looked up, because
 * the planner would answer `exists` by reading all due jobs.
 */
const ROOM = `select queue, least($2::integer, greatest(0, $4::integer - coalesce(
    (select number from handed where handed.queue = asked.queue), 0))) as free
  from unnest($1::text[]) as asked(queue) where ${isOpen('queue')} and (
    select true from background_jobs job where job.queue = asked.queue and state = 'pending' and run_at <= now() order by run_at limit 1)`;

const CLAIM = `update background_jobs set state = 'running', attempt = attempt + 1, run_token = gen_random_uuid(),
    started_at = clock_timestamp(), lease_until = clock_timestamp() + $3 * interval '1 ms'
  where id = any(array(${dueIn(ASKED)})) returning ${CLAIMED_COLUMNS}`;

const HAND_OVER = `with handed as materialized (
    select queue, count(*)::integer as number from ${leasedSql('queue', 'handed')} leased group by queue)
  update background_jobs set state = 'handed', run_token = gen_random_uuid(),
    lease_until = clock_timestamp() + $3 * interval '1 ms'
  where id = any(array(${dueIn(ROOM)})) returning id, queue, name, run_token as token`;

/**
 * A row locked by an enqueuing transaction (it absorbs its job) is skipped: it must not start before that one
 * commits. A pause does not take back rows that are locked, or handed over at the same moment: they end here.
 */
const BEGIN = `update background_jobs set state = 'running', attempt = attempt + 1, run_token = gen_random_uuid(),
    started_at = clock_timestamp(), lease_until = clock_timestamp() + $3 * interval '1 ms'
  from (select job.id, handed.token from unnest($1::bigint[], $2::uuid[]) as handed(id, token)
    join background_jobs job on job.id = handed.id and job.run_token = handed.token and job.state = 'handed'
    where ${isOpen('job.queue')} for update of job skip locked) free
  where background_jobs.id = free.id returning ${CLAIMED_COLUMNS}, free.token`;

const STILL_HANDED = `select id, not ${isOpen('job.queue')} as "isPaused" from unnest($1::bigint[], $2::uuid[]) as handed(id, token)
  join background_jobs job using (id) where job.run_token = handed.token and job.state = 'handed'`;

const HAND_BACK = `update background_jobs set state = 'pending', run_token = null
  where id = any($1::bigint[]) and run_token = any($2::uuid[]) and state = 'handed'`;

/** The next check is postponed before this one: two reapers ask Redis for different jobs. */
const STALE = `update background_jobs set lease_until = clock_timestamp() + $1 * interval '1 ms'
  where id = any(array(select id from background_jobs where state = 'handed' and lease_until < now()
    order by lease_until limit 1000 for update skip locked)) returning id, queue, name, run_token as token`;

const DOUBT = `update background_jobs set lease_until = now() where state = 'handed' and lease_until > now()`;

interface Waiting {
  readonly id: number;
  readonly isPaused: boolean;
}

type BeginResult = ClaimedJob | 'busy' | 'gone';

/** Moves jobs from waiting to running, for both drivers. */
@Injectable()
export class Claims {
  private readonly begins = batcher<Handover, BeginResult>((handovers) => this.beginAll(handovers));

  constructor(
    private readonly pool: QueuePool,
    private readonly options: QueueOptions,
  ) {}

  /** Starts due jobs, at most `free` per queue. */
  claim(free: ReadonlyMap<string, number>): Promise<ClaimedJob[]> {
    return this.pool.query('queue-claim', CLAIM, [
      [...free.keys()],
      [...free.values()],
      this.options.leaseMs,
    ]);
  }

  /** Marks due jobs of these queues as handed over to Redis, unless enough of them wait there. */
  handOver(queues: readonly string[]): Promise<Handover[]> {
    const { relayBatch, handedMs, mostHanded } = this.options;
    return this.pool.query('queue-hand-over', HAND_OVER, [queues, relayBatch, handedMs, mostHanded]);
  }

  /** Takes back hand-overs that lead to no start. */
  async handBack(handovers: readonly Handover[]): Promise<void> {
    const tokens = handovers.map((handover) => handover.token);
    await this.pool.query('queue-hand-back', HAND_BACK, [handovers.map((handover) => handover.id), tokens]);
  }

  /** Returns hand-overs that have not led to a start for a long time, each of them again after a while. */
  stale(): Promise<Handover[]> {
    return this.pool.query('queue-stale', STALE, [this.options.handedMs]);
  }

  /** Makes all hand-overs stale, after a time in which Redis may have lost them. */
  async doubtHandovers(): Promise<void> {
    await this.pool.query('queue-doubt', DOUBT, []);
  }

  /** Starts a job that Redis delivered; undefined if this delivery is outdated, or the queue is paused. */
  async begin(handover: Handover): Promise<ClaimedJob | undefined> {
    for (;;) {
      const result = await this.begins.load(handover);
      if (result === 'gone') return undefined;
      if (result !== 'busy') return result;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async beginAll(handovers: readonly Handover[]): Promise<BeginResult[]> {
    const ids = handovers.map((handover) => handover.id);
    const tokens = handovers.map((handover) => handover.token);
    const begun = new Map<string, ClaimedJob>();
    const values = [ids, tokens, this.options.leaseMs];
    for (const row of await this.pool.query<ClaimedJob & { token: string }>('queue-begin', BEGIN, values)) {
      begun.set(row.token, row);
    }
    const busy = new Set<number>();
    if (begun.size < handovers.length) {
      const rows = await this.pool.query<Waiting>('queue-still-handed', STILL_HANDED, [ids, tokens]);
      const paused = new Set(rows.filter(({ isPaused }) => isPaused).map(({ id }) => id));
      for (const { id } of rows) if (!paused.has(id)) busy.add(id);
      if (paused.size > 0) await this.handBack(handovers.filter(({ id }) => paused.has(id)));
    }
    return handovers.map(
      (handover) => begun.get(handover.token) ?? (busy.has(handover.id) ? 'busy' : 'gone'),
    );
  }
}
