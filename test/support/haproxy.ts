import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './processes.js';
import { until } from './until.js';

/** Whether this machine has an haproxy to start. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

/** The readiness checks of its servers. */
export interface Check {
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Number of failures in a row after which a server is removed. */
  readonly failures: number;
}

const OFTEN: Check = { everyMs: 500, timeoutMs: 10_000, failures: 2 };

/**
 * Its configuration: a server that is not ready gets no new request, and no request is retried or sent to
 * another one.
 */
const configuration = (port: number, servers: readonly number[], check: Check, folder: string): string => `
global
  maxconn 500
  stats socket ${folder}/admin.sock mode 600 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check ${check.timeoutMs}ms
  retries 0
  no option redispatch
frontend all
  bind 127.0.0.1:${port}
  default_backend product
backend product
  balance roundrobin
  option httpchk GET /-/readiness
  http-check expect status 200
  default-server check inter ${check.everyMs}ms fall ${check.failures} rise 1
${servers.map((server) => `  server s${server} 127.0.0.1:${server}`).join('\n')}
`;

/** A balancer of one test. */
export class Haproxy {
  private text = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {
    child.stderr?.on('data', (piece) => (this.text += String(piece)));
  }

  /** Its output, for example about servers that were removed or came back. */
  output(): string {
    return this.text;
  }

  /** Before servers on these ports of loopback; on a free port, unless one is given. */
  static async start(servers: readonly number[], check = OFTEN, port?: number): Promise<Haproxy> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    const own = port ?? (await freePort());
    writeFileSync(file, configuration(own, servers, check, folder));
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const proxy = new Haproxy(child, folder, `http://127.0.0.1:${own}`);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
      return (await fetch(`${proxy.url}/-/health`).catch(() => undefined))?.ok === true;
    });
    return proxy;
  }

  /** Sends no new request to the server on this port, whatever its readiness. */
  forget(server: number): Promise<void> {
    return this.command(`set server product/s${server} state maint`);
  }

  /** Whether the server on this port gets requests. */
  async isUp(server: number): Promise<boolean> {
    const rows = (await this.ask('show stat')).split('\n').map((line) => line.split(','));
    const status = rows[0]?.indexOf('status') ?? -1;
    const row = rows.find(([backend, name]) => backend === 'product' && name === `s${server}`);
    return row?.[status]?.startsWith('UP') === true;
  }

  private async command(text: string): Promise<void> {
    const answer = await this.ask(text);
    if (answer.trim() !== '') throw new Error(`haproxy: ${answer.trim()}`);
  }

  private async ask(text: string): Promise<string> {
    const socket = connect(join(this.folder, 'admin.sock'));
    let answer = '';
    socket.on('data', (piece) => (answer += String(piece)));
    socket.write(`${text}\n`);
    await once(socket, 'close');
    return answer;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
