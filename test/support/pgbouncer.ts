import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './processes.js';
import { until } from './until.js';

/** Whether this machine has a pgbouncer to start. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** Its pooling mode. */
interface PoolSettings {
  /** Sessions that all clients share. */
  readonly sessions: number;
  readonly mode?: 'transaction' | 'session' | 'statement';
}

/** Configuration of docs/operate.md, for one test. */
const configuration = (server: pg.Client, port: number, { sessions, mode }: PoolSettings): string => `
[databases]
* = host=${server.host} port=${server.port} user=${server.user ?? ''}${server.password ? ` password=${server.password}` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode ?? 'transaction'}
default_pool_size = ${sessions}
max_client_conn = 500
admin_users = test
stats_users = test
`;

/** It refuses to run as root, and the socket of an embedded server is only accessible to its owner. */
function accountFor({ host }: pg.Client): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  if (!host.startsWith('/')) return { uid: 65_534, gid: 65_534 };
  const { uid, gid } = statSync(host);
  return { uid, gid };
}

/** A PgBouncer of one test. */
export class Pgbouncer {
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
    /** The address of the database through it. */
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => (this.output = `${this.output}${String(data)}`.slice(-10_000)));
  }

  /** Before the database at `databaseUrl`. */
  static async start(databaseUrl: string, settings: PoolSettings): Promise<Pgbouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-pgbouncer-'));
    chmodSync(folder, 0o755);
    const file = join(folder, 'pgbouncer.ini');
    const port = await freePort();
    const server = new pg.Client({ connectionString: databaseUrl });
    writeFileSync(file, configuration(server, port, settings));
    const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'pipe', 'pipe'], ...accountFor(server) });
    const url = `postgres://product@127.0.0.1:${port}/${server.database ?? ''}`;
    const bouncer = new Pgbouncer(child, folder, port, url);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${bouncer.output}`);
      return bouncer.ask('show version').then(
        () => true,
        () => false,
      );
    });
    return bouncer;
  }

  /** Number of its open sessions with PostgreSQL. */
  async sessions(): Promise<number> {
    return (await this.ask('show servers')).length;
  }

  /** Number of its connected clients. */
  async clients(): Promise<number> {
    return (await this.ask('show clients')).filter(({ database }) => database !== 'pgbouncer').length;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ask(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: `postgres://test@127.0.0.1:${this.port}/pgbouncer` });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
