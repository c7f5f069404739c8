import { Injectable } from '@nestjs/common';
import { QueueDriver, type RedisState } from './drivers/queue-driver.js';
import { QueuePool } from './outbox/queue-pool.js';

/** Health of the queue, for readiness and doctor. */
export interface QueueState {
  readonly redis: RedisState;
  /** Age of the oldest due job that has not started. */
  readonly lagSeconds: number;
  /** Due jobs that have not started, counted up to 10,001. */
  readonly pending: number;
  /** Number of failed jobs kept. */
  readonly failed: number;
}

const STATE = `select count(*)::integer as pending, coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as "lagSeconds",
    (select count(*)::integer from background_jobs where state = 'failed') as failed
  from (select run_at from background_jobs where state in ('pending', 'handed') and run_at <= now() limit 10001) due`;

/** Checks whether jobs are being processed. */
@Injectable()
export class QueueHealth {
  constructor(
    private readonly driver: QueueDriver,
    private readonly pool: QueuePool,
  ) {}

  /** Returns the state of Redis and of the backlog; throws if PostgreSQL does not respond. */
  async check(): Promise<QueueState> {
    const [redis, state] = await Promise.all([this.driver.ping(), this.state()]);
    return { ...state, redis };
  }

  private async state(): Promise<QueueState> {
    const [row] = await this.pool.query<QueueState>('queue-state', STATE, []);
    return { redis: 'unused', lagSeconds: 0, pending: 0, failed: 0, ...row };
  }
}
