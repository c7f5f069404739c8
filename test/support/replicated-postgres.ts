import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverAccount } from '#kernel/database/embedded/account.js';
import { findBinaries } from '#kernel/database/embedded/binaries.js';
import { createCluster, type Cluster } from '#kernel/database/embedded/cluster.js';
import { createDatabase, urlOfSocket } from '#kernel/database/embedded/own-database.js';
import {
  makeSocketFolder,
  removeSocketFolder,
  startServer,
  stopServer,
} from '#kernel/database/embedded/server-process.js';
import { migrate } from '#kernel/database/migrate.js';

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: '5',
  max_connections: '200',
  fsync: 'off',
};

/** One server of the pair. */
class Server {
  readonly sockets: string;
  readonly url: string;
  private child: ChildProcess | undefined;

  constructor(
    readonly cluster: Cluster,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.sockets = makeSocketFolder(cluster.account);
    this.url = urlOfSocket(this.sockets);
  }

  async start(): Promise<void> {
    this.child = await startServer(
      this.cluster,
      this.sockets,
      { ...SETTINGS, ...this.settings },
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    this.signal('SIGCONT');
    if (this.child) await stopServer(this.child);
  }

  /** Ends it like a lost machine: connections are not closed. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child) return;
    child.ref();
    const ended = once(child, 'exit');
    this.signal('SIGKILL');
    await ended;
    rmSync(join(this.cluster.folder, 'postmaster.pid'), { force: true });
  }

  /** Sends a signal to the server and all its processes. */
  signal(name: NodeJS.Signals): void {
    const first = this.child?.pid;
    if (first === undefined || this.child?.exitCode !== null) return;
    for (const pid of [first, ...childrenOf(first)])
      try {
        process.kill(pid, name);
      } catch {
        // The process has ended meanwhile.
      }
  }

  async sql<Row extends object>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

/** The child processes of a process, from /proc: command names may contain anything before the last parenthesis. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);

/** A migrated primary and its streaming replica, for one test file. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: string,
    readonly primary: Server,
    readonly replica: Server,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-replicated-'));
    const [first, second] = ['primary', 'replica'].map((name) => join(folder, name)) as [string, string];
    for (const path of [first, second]) mkdirSync(path, { mode: 0o700 });
    const data = join(first, 'postgres');
    const account = serverAccount(data);
    const cluster: Cluster = { folder: data, account, binaries: findBinaries(account, first) };
    await createCluster(cluster, first);
    const primary = new Server(cluster, {});
    await primary.start();
    await createDatabase(primary.sockets);
    await migrate(primary.url);
    await primary.stop();
    // A replica starts from a cold copy, which keeps the owner.
    execFileSync('cp', ['-a', data, second]);
    const copy = join(second, 'postgres');
    writeFileSync(join(copy, 'standby.signal'), '');
    const replica = new Server(
      { ...cluster, folder: copy },
      { primary_conninfo: `host=${primary.sockets} user=forgeplane` },
    );
    await primary.start();
    await replica.start();
    return new ReplicatedPostgres(folder, primary, replica);
  }

  async stop(): Promise<void> {
    await this.replica.stop();
    await this.primary.stop();
    for (const { sockets } of [this.replica, this.primary]) removeSocketFolder(sockets);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
