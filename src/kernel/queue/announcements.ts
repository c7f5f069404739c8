import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { WatchedClient } from '#kernel/database/sessions/watched-client.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { QueuePool } from './outbox/queue-pool.js';

const CHANNEL = 'forgeplane_jobs';
/** Minimum interval between two NOTIFYs: each makes every listening process query the table. */
const COALESCE_MS = 20;
const RECONNECT_MS = 1_000;
const STATEMENT_MS = 10_000;

/** Callbacks for announcements of other processes. */
export interface AnnouncementListener {
  /** Another process announced a job that is due in `delayMs` milliseconds. */
  readonly onJobs: (delayMs: number) => void;
  /** The connection listens, at first or again; earlier announcements may have been missed. */
  readonly onReconnect: () => void;
}

/** Announces jobs between processes by NOTIFY and LISTEN. Announcements may be lost, so the queue also polls. */
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

  /** Passes the announcements of other processes to `listener`; reconnects automatically. */
  listen(listener: AnnouncementListener): void {
    this.to = listener;
    void this.connect();
  }

  /** Announces a job that is due in `delayMs` milliseconds. Never throws. */
  send(delayMs: number): void {
    if (this.closed) return;
    this.pendingDelayMs = Math.min(this.pendingDelayMs, delayMs);
    if (this.pending) return;
    const waitMs = Math.max(0, this.lastSent + COALESCE_MS - performance.now());
    if (waitMs === 0) this.sendNow();
    else this.pending = setTimeout(() => this.sendNow(), waitMs);
  }

  /**
   * Runs a query over the listening connection: an idle process then needs no other connection, and notices if this one is broken.
   * Uses the pool while the process is not listening.
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
      // An error reported by PostgreSQL shows that the connection works.
      if (!(error instanceof pg.DatabaseError)) this.giveUp(listener, error as Error);
      throw error;
    }
  }

  /** Sends the pending announcement and stops listening. */
  async close(): Promise<void> {
    if (this.pending) this.sendNow();
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.sending;
    await this.listener?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    if (this.closed) return;
    const client = new WatchedClient({
      connectionString: utcUrl(this.pool.url),
      application_name: 'forgeplane-listen',
      connectionTimeoutMillis: 5_000,
      statement_timeout: STATEMENT_MS,
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
    // Earlier releases send an empty payload for a job that is due now.
    const payload = this.pendingDelayMs > 0 ? String(Math.ceil(this.pendingDelayMs)) : '';
    this.pendingDelayMs = Number.POSITIVE_INFINITY;
    this.sending = this.pool
      .query('queue-notify', 'select pg_notify($1, $2)', [CHANNEL, payload])
      .then(() => undefined)
      .catch((error: unknown) => this.logger.warn(`Cannot announce jobs: ${(error as Error).message}`));
  }
}
