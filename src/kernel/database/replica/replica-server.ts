import { Socket } from 'node:net';
import type pg from 'pg';
import { ReadDatabase } from '../reads/read-database.js';
import { DatabaseAddress } from '../sessions/database-address.js';
import { watchedPool } from '../sessions/watched-client.js';
import { REPLICA_POSITION_SQL, type ReplicaPosition } from './replica-position.sql.js';

/** A replica that takes longer to connect, or to tell its position, counts as gone. */
const ANSWER_MS = 1_000;

/** The connections to a replica. */
export class ReplicaServer {
  readonly reads: ReadDatabase;
  /** Of its own, so that no slow read delays the question. */
  private readonly looks: pg.Pool;
  private readonly sockets = new Set<Socket>();

  constructor(url: string, poolSize: number) {
    const stream = (): Socket => this.open();
    this.reads = new ReadDatabase(DatabaseAddress.direct(url), poolSize, {
      name: 'replica',
      connectMs: ANSWER_MS,
      stream,
      isStandby: true,
    });
    this.looks = watchedPool({
      connectionString: url,
      application_name: 'forgeplane-replica',
      max: 1,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      idleTimeoutMillis: 10_000,
      stream,
    });
    this.looks.on('error', () => undefined);
  }

  /** Returns what it is, and how far it has come. */
  async position(): Promise<ReplicaPosition> {
    const { rows } = await this.looks.query<ReplicaPosition>(REPLICA_POSITION_SQL);
    return rows[0] as ReplicaPosition;
  }

  /** Ends all connections: of a server that is silent they would stay open for many minutes. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    await Promise.all([this.reads.onApplicationShutdown(), this.looks.end()]);
  }

  private open(): Socket {
    const socket = new Socket();
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
