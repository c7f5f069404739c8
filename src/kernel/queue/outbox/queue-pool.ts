import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { Config } from '#kernel/config/config.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { sessionOptions } from '#kernel/database/sessions/session-options.js';
import { watchedPool } from '#kernel/database/sessions/watched-client.js';
import { registerPool } from '#kernel/log/gauges.js';

/**
 * Connections for the book-keeping of jobs alone, so that leases are renewed while requests use up the main pool.
 * They commit asynchronously: what a crash of PostgreSQL takes back is a transition of a job, which then runs again.
 */
@Injectable()
export class QueuePool {
  private readonly logger = new Logger(QueuePool.name);
  private readonly pool: pg.Pool;
  /** Where PostgreSQL itself is, for the connection that listens. */
  readonly url: string;

  constructor(address: DatabaseAddress, { DATABASE_QUEUE_POOL }: Config) {
    this.url = address.direct;
    this.pool = watchedPool({
      ...sessionOptions(address, '-c synchronous_commit=off', {
        statement_timeout: 15_000,
        lock_timeout: 5_000,
      }),
      max: DATABASE_QUEUE_POOL,
      application_name: 'forgeplane-queue',
      connectionTimeoutMillis: 5_000,
    });
    registerPool('queue', () => this.pool);
    this.pool.on('error', (error) => this.logger.warn(`Queue connection lost: ${error.message}`));
  }

  /** Runs one statement, which is prepared under its name where it has one. */
  async query<Row extends pg.QueryResultRow>(
    name: string | undefined,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    const result = await this.pool.query<Row>({ ...(name !== undefined && { name }), text, values });
    return result.rows;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.pool.end();
  }
}
