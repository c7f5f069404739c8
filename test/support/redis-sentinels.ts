import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { TestCertificate } from './certificate.js';
import { freePort } from './processes.js';
import { listeningAt, RedisServer } from './redis-server.js';
import { until } from './until.js';

/** Passwords that a URL has to encode. */
const PASSWORD = 'redis-hid/den@1';
const SENTINEL_PASSWORD = 'sentinel-hid/den@2';
/** Parts of them that must not appear in any log. */
export const SENTINEL_SECRETS = /hid(\/|%2F)den/i;

const MASTER = 'forge';
const SENTINELS = 3;
const DATABASE = 1;
const RESTART_MS = 200;

const configuration = (folder: string, master: number): string => `
bind 127.0.0.1
dir ${folder}
requirepass ${SENTINEL_PASSWORD}
sentinel monitor ${MASTER} 127.0.0.1 ${master} 2
sentinel auth-pass ${MASTER} ${PASSWORD}
sentinel down-after-milliseconds ${MASTER} 60000
sentinel failover-timeout ${MASTER} 3000
`;

/** A Redis master and its replica, with passwords, and three Sentinels, two of which have to agree on a failure. */
export class RedisSentinels {
  private readonly sentinels = new Map<number, ChildProcess>();
  private isClosed = false;

  private constructor(
    private readonly folder: string,
    /** The first server is the initial master. */
    readonly servers: readonly [RedisServer, RedisServer],
    private readonly ports: readonly number[],
    private readonly tls: TestCertificate | undefined,
  ) {}

  /** Starts master and replica; the Sentinels run once `startSentinels` has finished. */
  static async create(tls?: TestCertificate): Promise<RedisSentinels> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-sentinels-'));
    const settings = ['--requirepass', PASSWORD, '--masterauth', PASSWORD, '--repl-diskless-sync-delay', '0'];
    const start = (): Promise<RedisServer> =>
      RedisServer.start([...settings, '--dir', mkdtempSync(join(folder, 'server-'))], tls);
    const [master, replica] = [await start(), await start()];
    const ports: number[] = [];
    while (ports.length < SENTINELS) ports.push(await freePort());
    const group = new RedisSentinels(folder, [master, replica], ports, tls);
    await group.follow(replica, master);
    return group;
  }

  get url(): string {
    return this.urlWith({});
  }

  /** The URL of the first server, without the Sentinels. */
  get directUrl(): string {
    return `${this.scheme}://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.servers[0].port}/${DATABASE}`;
  }

  /** The URL with wrong values. */
  urlWith({
    password = PASSWORD,
    sentinelPassword = SENTINEL_PASSWORD,
    name = MASTER,
  }: {
    password?: string;
    sentinelPassword?: string;
    name?: string;
  }): string {
    const hosts = this.ports.map((port) => `127.0.0.1:${port}`).join(',');
    const [one, other] = [password, sentinelPassword].map(encodeURIComponent);
    return `${this.scheme}+sentinel://:${one}@${hosts}/${name}/${DATABASE}?sentinel_password=${other}`;
  }

  /**
   * Starts the Sentinels, and waits until each knows the two others and the replica. Only then a failure counts
   * after a second: a failover by some of them, while the machine is busy, would leave the rest behind.
   */
  async startSentinels(): Promise<void> {
    const [{ port: master }] = this.servers;
    for (const port of this.ports) {
      const file = join(this.folder, `${port}.conf`);
      writeFileSync(file, configuration(this.folder, master), { mode: 0o600 });
      this.startSentinel(port, file);
    }
    for (const port of this.ports)
      await until(() =>
        this.ask(port, SENTINEL_PASSWORD, async (sentinel) => {
          const fields = (await sentinel.call('SENTINEL', 'MASTER', MASTER)) as string[];
          const of = (name: string): string | undefined => fields[fields.indexOf(name) + 1];
          return of('num-other-sentinels') === '2' && of('num-slaves') === '1' && of('flags') === 'master';
        }),
      );
    for (const port of this.ports)
      await this.ask(port, SENTINEL_PASSWORD, (sentinel) =>
        sentinel.call('SENTINEL', 'SET', MASTER, 'down-after-milliseconds', '1000'),
      );
  }

  /**
   * Starts a Sentinel, and again if it exits: its port, which others may know from the URL, can be taken for a
   * moment by a connection of another test.
   */
  private startSentinel(port: number, file: string): void {
    const args = [file, '--sentinel', ...listeningAt(port, this.tls)];
    const sentinel = spawn('redis-server', args, { stdio: 'ignore' });
    this.sentinels.set(port, sentinel);
    sentinel.once('exit', () => {
      setTimeout(() => {
        if (!this.isClosed) this.startSentinel(port, file);
      }, RESTART_MS).unref();
    });
  }

  /** The server that the Sentinels name as master. */
  async master(): Promise<RedisServer> {
    const ports = await Promise.all(
      this.ports.map((port) =>
        this.ask(port, SENTINEL_PASSWORD, async (sentinel) => {
          const [, found] = (await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER)) as string[];
          return Number(found);
        }),
      ),
    );
    const found = this.servers.find(({ port }) => ports.every((named) => named === port));
    if (!found) throw new Error(`The Sentinels do not agree: ${ports.join(', ')}`);
    return found;
  }

  /** Makes the Sentinels replace a healthy master by its replica. */
  async failOver(): Promise<void> {
    await this.ask(this.ports[0] ?? 0, SENTINEL_PASSWORD, (sentinel) =>
      sentinel.call('SENTINEL', 'FAILOVER', MASTER),
    );
  }

  /** Makes one server a replica of the other, and waits until it is synchronized. */
  async follow(replica: RedisServer, master: RedisServer): Promise<void> {
    await this.within(replica, (redis) => redis.replicaof('127.0.0.1', master.port));
    await until(() =>
      this.within(replica, async (redis) =>
        (await redis.info('replication')).includes('master_link_status:up'),
      ),
    );
  }

  /** Runs `work` in the database that the product uses. */
  within<T>({ port }: RedisServer, work: (redis: Redis) => Promise<T>): Promise<T> {
    return this.ask(port, PASSWORD, work, DATABASE);
  }

  /** Kills all of them and removes their files. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const sentinel of this.sentinels.values()) {
      sentinel.kill('SIGKILL');
      if (sentinel.exitCode === null && sentinel.signalCode === null) await once(sentinel, 'exit');
    }
    for (const server of this.servers) await server.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get scheme(): string {
    return this.tls === undefined ? 'redis' : 'rediss';
  }

  private async ask<T>(
    port: number,
    password: string,
    work: (redis: Redis) => Promise<T>,
    db = 0,
  ): Promise<T> {
    const redis = new Redis({
      ...{ port, host: '127.0.0.1', password, db },
      ...(this.tls && { tls: { ca: readFileSync(this.tls.certificate) } }),
      lazyConnect: true,
      retryStrategy: () => null,
    });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }
}
