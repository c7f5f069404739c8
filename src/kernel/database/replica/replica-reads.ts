import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '#kernel/config/config.js';
import { HttpError } from '#kernel/http/errors.js';
import { countRead } from '#kernel/log/metrics.js';
import { requestContext } from '#kernel/log/request-context.js';
import type { Statement } from '../lists/list-query.js';
import type { ReadDatabase } from '../reads/read-database.js';
import { readingTransaction } from '../transactions.js';
import { isOutage } from '../transient.js';
import type { RecentWriters } from './recent-writers.js';
import { ReplicaServer } from './replica-server.js';
import { ReplicaGone, ReplicaWatch } from './replica-watch.js';

interface Replica {
  readonly server: ReplicaServer;
  readonly watch: ReplicaWatch;
}

/**
 * Reads of lists that a replica may answer (`ListQuery.fromReplica`): it does if the caller has not written for five seconds and it is less than
 * that behind; else, and where it fails, the primary does.
 */
@Injectable()
export class ReplicaReads implements OnApplicationShutdown {
  private readonly replica: Replica | null;

  constructor(
    { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_POOL: size, servesApi }: Config,
    private readonly primary: ReadDatabase,
    private readonly writers: RecentWriters,
  ) {
    const server = url !== undefined && servesApi ? new ReplicaServer(url, size) : null;
    this.replica = server && { server, watch: new ReplicaWatch(primary, server, writers) };
  }

  /** Whether this process has a replica to read from. */
  get isConfigured(): boolean {
    return this.replica !== null;
  }

  /** Rows of a list, from whichever server may answer. */
  async rows<Row extends object>(statement: Statement, isLong: boolean): Promise<Row[]> {
    if (!this.replica) return read<Row>(this.primary, statement, isLong);
    // What runs in a transaction reads in it.
    const isFree = readingTransaction() === null && this.replica.watch.isUsable();
    const rows = isFree ? await this.fromReplica<Row>(this.replica, statement, isLong) : null;
    countRead(rows ? 'replica' : 'primary');
    return rows ?? read<Row>(this.primary, statement, isLong);
  }

  /** Checks the replica for probes and metrics. @throws Error that says why it is not used */
  async check(): Promise<{ message: string }> {
    const behindMs = (await this.replica?.watch.check()) ?? 0;
    return { message: `${(behindMs / 1_000).toFixed(1)} s behind, or less` };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.watch.close();
    await this.replica?.server.close();
  }

  /** Null if the primary has to answer. The recent writers are queried concurrently. */
  private async fromReplica<Row extends object>(
    { server, watch }: Replica,
    statement: Statement,
    isLong: boolean,
  ): Promise<Row[] | null> {
    const context = requestContext.getStore();
    if (!context || (context.method !== 'GET' && context.method !== 'HEAD')) return null;
    if (this.writers.hasNoted(context)) return null;
    const rows = watch.whileThere(read<Row>(server.reads, statement, isLong));
    // It may fail before it is awaited.
    rows.catch(() => undefined);
    try {
      return (await this.writers.isQuiet(context)) ? await rows : null;
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (isEnd(error)) watch.lost(error);
      return null;
    }
  }
}

const read = <Row extends object>(
  from: ReadDatabase,
  { text, values }: Statement,
  isLong: boolean,
): Promise<Row[]> => (isLong ? from.long<Row>(text, values) : from.short<Row>(text, values));

/** Whether an error of a read tells that the replica is gone. */
const isEnd = (error: unknown): boolean => !(error instanceof ReplicaGone) && isOutage(error);
