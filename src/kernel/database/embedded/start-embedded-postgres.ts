import { type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '#kernel/disk/durable.js';
import { takeOver } from './account.js';
import { type Cluster, openCluster } from './cluster.js';
import { stopLeftovers } from './leftovers.js';
import { createDatabase, urlOfSocket } from './own-database.js';
import { lockFolder } from './owner-lock.js';
import { makeSocketFolder, removeSocketFolder, startServer, stopServer } from './server-process.js';
import type { Settings } from './settings.js';

/** Options of the launcher. */
export interface EmbeddedPostgresOptions {
  /** DATA_DIR; the database is in its folder `postgres`. */
  dataDir: string;
  /** Receives the log of the server, line by line. */
  log?: (line: string) => void;
  /** Receives what operators must know: that the server ended, and why it cannot be started again. */
  warn?: (line: string) => void;
  /** Settings that override the built-in ones, for tests. */
  settings?: Settings;
}

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** For pg and TypeORM: a unix socket, no TCP. */
  url: string;
  /** Fast shutdown; may be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed on DATA_DIR/postgres and restarts it, under the same URL, should it die, as soon as it can be.
 * Works as root, after a killed owner and in a closed home; refuses a folder that another living process owns.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const log = options.log ?? (() => undefined);
  await makeFolder(dataDir);
  const lock = await lockFolder(dataDir);
  let socketFolder: string | undefined;
  try {
    const cluster = await openCluster(dataDir);
    await stopLeftovers(cluster.folder, log);
    takeOver(cluster.account, cluster.folder);
    socketFolder = makeSocketFolder(cluster.account);
    const supervisor = new Supervisor(
      cluster,
      socketFolder,
      options.settings ?? {},
      log,
      options.warn ?? log,
    );
    await supervisor.start();
    await createDatabase(socketFolder).catch(async (error: unknown) => {
      await supervisor.stop();
      throw error;
    });
    const folder = socketFolder;
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await supervisor.stop();
      removeSocketFolder(folder);
      await lock.release();
    };
    return { url: urlOfSocket(folder), stop: () => (stopped ??= stop()) };
  } catch (error) {
    if (socketFolder !== undefined) removeSocketFolder(socketFolder);
    await lock.release();
    throw error;
  }
}

/** Longest pause before another attempt: a full disk has room again some day. */
const MOST_PAUSE_MS = 5_000;

/** Keeps one server running until `stop` is called. */
class Supervisor {
  private child: ChildProcess | undefined;
  private restarting: Promise<void> = Promise.resolve();
  private readonly stopped = new AbortController();
  /** Stops the server if this process exits without `stop`; otherwise it would run until the next start. */
  private readonly onExit = (): void => {
    this.child?.kill('SIGINT');
    removeSocketFolder(this.socketFolder);
  };

  constructor(
    private readonly cluster: Cluster,
    private readonly socketFolder: string,
    private readonly settings: Settings,
    private readonly log: (line: string) => void,
    private readonly warn: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    const child = await startServer(this.cluster, this.socketFolder, this.settings, this.log);
    this.child = child;
    process.once('exit', this.onExit);
    child.once('exit', (code, signal) => {
      process.off('exit', this.onExit);
      if (this.isStopping) return;
      this.warn(`PostgreSQL ended unexpectedly (${String(code ?? signal)}): starting it again`);
      this.restarting = this.restart();
    });
    if (this.isStopping) await stopServer(child);
  }

  private get isStopping(): boolean {
    return this.stopped.signal.aborted;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    if (this.child) await stopServer(this.child);
    await this.restarting;
    if (this.child) await stopServer(this.child);
  }

  /** Waits before an attempt. Returns whether to make it. */
  private async pause(attempt: number): Promise<boolean> {
    const waitMs = Math.min(attempt * 200, MOST_PAUSE_MS);
    await sleep(waitMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
    return !this.isStopping;
  }

  private async restart(): Promise<void> {
    for (let attempt = 1; await this.pause(attempt); attempt += 1) {
      try {
        await stopLeftovers(this.cluster.folder, this.log, this.socketFolder);
        await this.start();
        return;
      } catch (error) {
        this.warn(`PostgreSQL cannot be started again: ${(error as Error).message}`);
      }
    }
  }
}
