import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { utcUrl } from '#kernel/database/utc-url.js';
import { QueueDriver } from './queue-driver.js';
import { QueueOptions } from './queue-options.js';
import { QueuePool } from './queue-pool.js';

const CHANNEL = 'forgeplane_jobs';
/** At most one NOTIFY in this time: each costs every listening process a look at the table. */
const COALESCE_MS = 20;
const RECONNECT_MS = 1_000;

/** Tells whoever can take jobs that there are some: this process first, other processes by NOTIFY. */
@Injectable()
export class Wakes {
  private readonly logger = new Logger(Wakes.name);
  private listener: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private pendingNotify: NodeJS.Timeout | undefined;
  private lastNotify = 0;
  private sending: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly driver: QueueDriver,
    private readonly pool: QueuePool,
    private readonly options: QueueOptions,
  ) {}

  /** Announces a job that is due after `delayMs`; later ones are found by the poll. Never throws. */
  wake(delayMs = 0): void {
    if (delayMs > this.options.pollMs || this.closed) return;
    if (delayMs > 0) setTimeout(() => this.wake(), delayMs).unref();
    else if (!this.driver.wake()) this.notifyOthers();
  }

  /** Wakes the driver of this process whenever another one announces jobs; reconnects by itself. */
  async listen(): Promise<void> {
    if (this.closed) return;
    const client = new pg.Client({
      connectionString: utcUrl(this.pool.url),
      application_name: 'forgeplane-listen',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    this.listener = client;
    client.on('notification', () => void this.driver.wake());
    client.on('error', (error) => this.logger.warn(`Listening connection lost: ${error.message}`));
    client.on('end', () => this.listenAgain(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // What was announced while nobody listened.
      this.driver.wake();
    } catch (error) {
      this.logger.warn(`Cannot listen for jobs: ${(error as Error).message}`);
      client.end().catch(() => undefined);
      this.listenAgain(client);
    }
  }

  /** Sends what is still to be announced and stops listening. */
  async close(): Promise<void> {
    if (this.pendingNotify) this.send();
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.sending;
    await this.listener?.end().catch(() => undefined);
  }

  private listenAgain(client: pg.Client): void {
    if (this.closed || this.listener !== client) return;
    this.listener = undefined;
    this.reconnect = setTimeout(() => void this.listen(), RECONNECT_MS);
  }

  private notifyOthers(): void {
    if (this.pendingNotify) return;
    const waitMs = Math.max(0, this.lastNotify + COALESCE_MS - Date.now());
    if (waitMs === 0) this.send();
    else this.pendingNotify = setTimeout(() => this.send(), waitMs);
  }

  private send(): void {
    clearTimeout(this.pendingNotify);
    this.pendingNotify = undefined;
    this.lastNotify = Date.now();
    this.sending = this.pool
      .query('queue-notify', `select pg_notify('${CHANNEL}', '')`, [])
      .then(() => undefined)
      .catch((error: unknown) => this.logger.warn(`Cannot announce jobs: ${(error as Error).message}`));
  }
}
