import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './processes.js';
import { until } from './until.js';

/** Whether this machine has an haproxy to start. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

/** What it is told: a server that is not ready gets no new request, and none is tried again or sent elsewhere. */
const configuration = (port: number, servers: readonly number[]): string => `
global
  maxconn 500
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 10s
  retries 0
  no option redispatch
frontend all
  bind 127.0.0.1:${port}
  default_backend product
backend product
  balance roundrobin
  option httpchk GET /-/readiness
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1
${servers.map((server) => `  server s${server} 127.0.0.1:${server}`).join('\n')}
`;

/** A balancer of one test. */
export class Haproxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /** Before servers on these ports of loopback. */
  static async start(servers: readonly number[]): Promise<Haproxy> {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    const port = await freePort();
    writeFileSync(file, configuration(port, servers));
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    const proxy = new Haproxy(child, folder, `http://127.0.0.1:${port}`);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
      return (await fetch(`${proxy.url}/-/health`).catch(() => undefined))?.ok === true;
    });
    return proxy;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
