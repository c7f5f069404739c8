import { Injectable, type OnModuleInit } from '@nestjs/common';
import { registerGauge } from '#kernel/log/metrics.js';
import { QueueDriver, type RedisState } from './drivers/queue-driver.js';
import { QueuePool } from './outbox/queue-pool.js';

/** What readiness and doctor say of the queue. */
export interface QueueState {
  readonly redis: RedisState;
  /** Age of the oldest job that is due and has not started. */
  readonly lagSeconds: number;
  /** Due jobs that have not started, counted up to 10,001. */
  readonly pending: number;
  /** Jobs that are kept as failed. */
  readonly failed: number;
}

const STATE = `select count(*)::integer as pending, coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as "lagSeconds",
    (select count(*)::integer from background_jobs where state = 'failed') as failed
  from (select run_at from background_jobs where state in ('pending', 'handed') and run_at <= now() limit 10001) due`;

/** Tells whether jobs flow. */
@Injectable()
export class QueueHealth implements OnModuleInit {
  constructor(
    private readonly driver: QueueDriver,
    private readonly pool: QueuePool,
  ) {}

  onModuleInit(): void {
    const read = async (): Promise<QueueState | undefined> => this.state().catch(() => undefined);
    registerGauge(
      'outbox_pending',
      'Due jobs that have not started',
      async () => (await read())?.pending ?? NaN,
    );
    registerGauge(
      'outbox_lag_seconds',
      'Age of the oldest due job that has not started',
      async () => (await read())?.lagSeconds ?? NaN,
    );
    registerGauge(
      'jobs_failed',
      'Jobs kept after their last attempt',
      async () => (await read())?.failed ?? NaN,
    );
  }

  /** State of Redis and of the backlog; throws when PostgreSQL does not answer. */
  async check(): Promise<QueueState> {
    const [redis, state] = await Promise.all([this.driver.ping(), this.state()]);
    return { ...state, redis };
  }

  private async state(): Promise<QueueState> {
    const [row] = await this.pool.query<QueueState>('queue-state', STATE, []);
    return { redis: 'unused', lagSeconds: 0, pending: 0, failed: 0, ...row };
  }
}
