import { Injectable } from '@nestjs/common';
import { QueuePool } from './queue-pool.js';
import { Wakes } from './wakes.js';

/** A job that no attempt is left for. */
export interface FailedJob {
  readonly id: number;
  readonly queue: string;
  readonly name: string;
  readonly attempt: number;
  readonly errorClass: string;
  readonly errorMessage: string;
  readonly correlationId: string | null;
  readonly failedAt: Date;
}

const LIST = `select id, queue, name, attempt, error_class as "errorClass", error_message as "errorMessage",
    correlation_id as "correlationId", failed_at as "failedAt"
  from background_jobs where state = 'failed' order by failed_at desc, id desc limit $1`;

const RETRY = `update background_jobs set state = 'pending', attempt = 0, stalls = 0, dedupe_key = null,
    failed_at = null, run_at = clock_timestamp() where id = $1 and state = 'failed' returning id`;

/** Jobs kept after their last attempt, for operators. */
@Injectable()
export class FailedJobs {
  constructor(
    private readonly pool: QueuePool,
    private readonly wakes: Wakes,
  ) {}

  /** The latest failures first. */
  list(limit: number): Promise<FailedJob[]> {
    return this.pool.query('queue-failed', LIST, [limit]);
  }

  /** Gives a failed job all its attempts again; false when it is not there. */
  async retry(id: number): Promise<boolean> {
    const rows = await this.pool.query('queue-retry-failed', RETRY, [id]);
    this.wakes.wake();
    return rows.length === 1;
  }
}
