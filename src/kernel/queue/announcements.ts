import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { utcUrl } from '#kernel/database/utc-url.js';
import { QueuePool } from './outbox/queue-pool.js';

const CHANNEL = 'forgeplane_jobs';
/** At most one NOTIFY in this time: each costs every listening process a look at the table. */
const COALESCE_MS = 20;
const RECONNECT_MS = 1_000;
/** PostgreSQL gives up first: then the connection is known to be well. */
const STATEMENT_MS = 10_000;
const ANSWER_MS = 15_000;

/** Who is called back by what comes from other processes. */
export interface AnnouncementListener {
  /** Others have jobs that are due in so many milliseconds. */
  readonly onJobs: (delayMs: number) => void;
  /** It listens again after a time in which something may have been missed. */
  readonly onReconnect: () => void;
}

/** What processes tell one another about jobs: NOTIFY and LISTEN. One may be lost, so nothing relies on it alone. */
@Injectable()
export class Announcements {
  private readonly logger = new Logger(Announcements.name);
  private listener: pg.Client | undefined;
  private isListening = false;
  private reconnect: NodeJS.Timeout | undefined;
  private pending: NodeJS.Timeout | undefined;
  private pendingDelayMs = Number.POSITIVE_INFINITY;
  private lastSent = 0;
  private sending: Promise<void> = Promise.resolve();
  private closed = false;
  private to: AnnouncementListener | undefined;

  constructor(private readonly pool: QueuePool) {}

  /** Hears what other processes send; reconnects by itself. */
  listen(listener: AnnouncementListener): void {
    this.to = listener;
    void this.connect();
  }

  /** Tells other processes of a job that is due in so many milliseconds. Never throws. */
  send(delayMs: number): void {
    if (this.closed) return;
    this.pendingDelayMs = Math.min(this.pendingDelayMs, delayMs);
    if (this.pending) return;
    const waitMs = Math.max(0, this.lastSent + COALESCE_MS - performance.now());
    if (waitMs === 0) this.sendNow();
    else this.pending = setTimeout(() => this.sendNow(), waitMs);
  }

  /**
   * Asks over the connection that listens, which is open anyway: an idle process needs no other one, and notices that this one is broken.
   * Without it the pool is asked.
   */
  async ask<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    name?: string,
  ): Promise<Row[]> {
    const { listener } = this;
    if (!listener || !this.isListening) return this.pool.query<Row>(name, text, values);
    try {
      return (await listener.query<Row>({ ...(name !== undefined && { name }), text, values })).rows;
    } catch (error) {
      // What PostgreSQL itself says has come over a connection that is well.
      if (!(error instanceof pg.DatabaseError)) this.giveUp(listener, error as Error);
      throw error;
    }
  }

  /** Sends what is still to be told and stops listening. */
  async close(): Promise<void> {
    if (this.pending) this.sendNow();
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.sending;
    await this.listener?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    if (this.closed) return;
    const client = new pg.Client({
      connectionString: utcUrl(this.pool.url),
      application_name: 'forgeplane-listen',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      statement_timeout: STATEMENT_MS,
      query_timeout: ANSWER_MS,
    });
    this.listener = client;
    client.on('notification', ({ payload }) => this.to?.onJobs(Number(payload) || 0));
    client.on('error', (error) => this.logger.warn(`Listening connection lost: ${error.message}`));
    client.on('end', () => this.connectAgain(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.isListening = true;
      this.to?.onReconnect();
    } catch (error) {
      this.giveUp(client, error as Error);
    }
  }

  private giveUp(client: pg.Client, error: Error): void {
    if (this.listener !== client) return;
    this.logger.warn(`Cannot listen for jobs: ${error.message}`);
    client.end().catch(() => undefined);
    this.connectAgain(client);
  }

  private connectAgain(client: pg.Client): void {
    if (this.closed || this.listener !== client) return;
    this.listener = undefined;
    this.isListening = false;
    this.reconnect = setTimeout(() => void this.connect(), RECONNECT_MS);
  }

  private sendNow(): void {
    clearTimeout(this.pending);
    this.pending = undefined;
    this.lastSent = performance.now();
    // Nothing is what earlier releases send for a job that is due.
    const payload = this.pendingDelayMs > 0 ? String(Math.ceil(this.pendingDelayMs)) : '';
    this.pendingDelayMs = Number.POSITIVE_INFINITY;
    this.sending = this.pool
      .query('queue-notify', 'select pg_notify($1, $2)', [CHANNEL, payload])
      .then(() => undefined)
      .catch((error: unknown) => this.logger.warn(`Cannot announce jobs: ${(error as Error).message}`));
  }
}
