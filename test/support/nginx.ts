import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './processes.js';
import { until } from './until.js';

/** Whether this machine has an nginx to start. */
export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Configuration of the operators' documentation, for one test. */
const configuration = (home: string, port: number, service: string, objects: string): string => `
daemon off;
user root;
worker_processes 1;
pid ${home}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/fastcgi; uwsgi_temp_path ${home}/uwsgi; scgi_temp_path ${home}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${service};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
    location /-/objects/ {
      internal;
      alias ${objects}/;
      etag off;
      add_header ETag $upstream_http_etag;
      add_header X-Content-Type-Options nosniff;
      add_header Content-Security-Policy "default-src 'none'; frame-ancestors 'none'; sandbox";
    }
  }
}
`;

/** An nginx of one test in front of a service. */
export class Nginx {
  private constructor(
    private readonly child: ChildProcess,
    private readonly home: string,
    readonly url: string,
  ) {}

  /** Before `service` (a base URL), with the folder of its objects. */
  static async start(service: string, objects: string): Promise<Nginx> {
    const home = mkdtempSync(join(tmpdir(), 'forgeplane-nginx-'));
    const file = join(home, 'nginx.conf');
    const port = await freePort();
    mkdirSync(join(home, 'logs'));
    writeFileSync(file, configuration(home, port, service, objects));
    const child = spawn('nginx', ['-p', home, '-c', file, '-e', join(home, 'error.log')], {
      stdio: 'ignore',
    });
    const nginx = new Nginx(child, home, `http://127.0.0.1:${port}`);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
      return (await fetch(`${nginx.url}/-/health`).catch(() => undefined))?.ok === true;
    });
    return nginx;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    rmSync(this.home, { recursive: true, force: true });
  }
}
