import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { utcUrl } from '#kernel/database/utc-url.js';
import { registerPool } from '#kernel/log/metrics.js';

const CONNECTIONS = 3;

/**
 * Connections for the book-keeping of jobs alone, so that leases are renewed while requests use up the main pool.
 * They commit asynchronously: what a crash of PostgreSQL takes back is a transition of a job, which then runs again.
 */
@Injectable()
export class QueuePool {
  private readonly logger = new Logger(QueuePool.name);
  private readonly pool: pg.Pool;
  /** Where PostgreSQL is, for the connection that listens. */
  readonly url: string;

  constructor(dataSource: DataSource) {
    const { url } = dataSource.options as { url?: string };
    if (url === undefined) throw new Error('The data source of the queue needs a url');
    this.url = url;
    this.pool = new pg.Pool({
      connectionString: utcUrl(url, '-c synchronous_commit=off'),
      max: CONNECTIONS,
      application_name: 'forgeplane-queue',
      statement_timeout: 15_000,
      lock_timeout: 5_000,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
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
