import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { TestCertificate } from './certificate.js';
import { freePort } from './processes.js';

/** Whether this machine has a redis-server to start. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** Command line settings of a port, plain or only for TLS. */
export const listeningAt = (port: number, tls?: TestCertificate): string[] =>
  tls === undefined
    ? ['--port', String(port)]
    : [
        ...[
          '--port',
          '0',
          '--tls-port',
          String(port),
          '--tls-replication',
          'yes',
          '--tls-auth-clients',
          'no',
        ],
        ...[
          '--tls-cert-file',
          tls.certificate,
          '--tls-key-file',
          tls.key,
          '--tls-ca-cert-file',
          tls.certificate,
        ],
      ];

/** A Redis of one test, without persistence: it loses everything when it is killed. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly settings: readonly string[],
    private readonly tls: TestCertificate | undefined,
  ) {}

  /** Starts a server on a free port, with further command line settings. */
  static async start(settings: readonly string[] = [], tls?: TestCertificate): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings, tls);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again on the same port. */
  async start(): Promise<void> {
    const own = [
      ...listeningAt(this.port, this.tls),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    const child = spawn('redis-server', [...own, ...this.settings], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child = child;
    let output = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      output += String(chunk);
      if (output.includes('Ready to accept connections')) {
        child.stdout.resume();
        return;
      }
    }
    throw new Error(`Redis did not start: ${output}`);
  }

  /** SIGSTOP: it neither responds nor closes connections. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  /** SIGCONT. */
  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
