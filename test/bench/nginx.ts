import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endingHere } from './ending.js';
import { childrenOf } from './load.js';
import { freePort, stop } from './servers.js';

/** Configuration of the part of the server that requires credentials. */
export const NGINX_LOGIN = 'git:password-of-the-bench';

const BACKEND = '/usr/lib/git-core/git-http-backend';

/** A web server from the system's packages, and the CGI server for its git requests. */
export interface Nginx {
  /** `/files/`; `/git/`, whose runs of git count; `/direct/`, the same without the shell that counts them; `/guarded/`, for those who say who they are. */
  readonly url: string;
  /** The processes that work: of nginx, and of what it asks. */
  readonly pids: readonly number[];
  /** CPU time of its git processes so far, in microseconds: for ended processes no one else counts it. */
  gitMicroseconds(): number;
  stop(): Promise<void>;
}

/** Path of the program, or null if it is not installed. */
export function findProgram(name: string): string | null {
  const { stdout, status } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Starts nginx in front of files (`/files/`) and of `git http-backend` (`/git/`), one worker. */
export async function startNginx(folder: string, files: string, repositories: string): Promise<Nginx | null> {
  const [nginx, fcgiwrap] = [findProgram('nginx'), findProgram('fcgiwrap')];
  if (nginx === null || fcgiwrap === null) return null;
  const port = await freePort();
  const home = join(folder, 'nginx');
  mkdirSync(home, { recursive: true });
  const socket = join(home, 'git.sock');
  const config = join(home, 'nginx.conf');
  // Not dash, which counts in hundredths of a second and so most processes of git as none.
  writeFileSync(join(home, 'backend'), `#!/bin/bash\n${BACKEND}\ntimes >>${home}/times\n`, { mode: 0o755 });
  writeFileSync(join(home, 'users'), NGINX_LOGIN.replace(':', ':{PLAIN}'));
  writeFileSync(config, configOf(home, port, files, repositories, socket));
  const wrap = endingHere(spawn(fcgiwrap, ['-c', '2', '-s', `unix:${socket}`], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } }));
  // Its workers would outlive a killed master.
  const server = endingHere(spawn(nginx, ['-p', home, '-c', config, '-e', join(home, 'error.log')], { stdio: 'ignore' }), 'SIGTERM');
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 500 && !(await fetch(url).catch(() => null)); attempt += 1) await sleep(20);
  return {
    url,
    pids: [server.pid ?? 0, wrap.pid ?? 0],
    gitMicroseconds: () => sumOfTimes(join(home, 'times')),
    stop: async () => {
      // They outlive the one that has started them.
      const wrapped = childrenOf(wrap.pid ?? 0);
      await Promise.all([stop(server), stop(wrap)]);
      for (const pid of wrapped) endOrphan(pid);
    },
  };
}

function endOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has left by itself.
  }
}

/**
 * Output of the shell about itself and, in every second line, its children: minutes and seconds of user and
 * system time. A real server has no such shell.
 */
function sumOfTimes(path: string): number {
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, 'utf8').split('\n');
  const children = lines.filter((_, index) => index % 2 === 1).join('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1_000_000, 0);
}

const configOf = (home: string, port: number, files: string, repositories: string, socket: string): string => {
  const backend = (program: string): string => `
      fastcgi_pass unix:${socket};
      fastcgi_param SCRIPT_FILENAME ${program};
      fastcgi_param GIT_PROJECT_ROOT ${repositories};
      fastcgi_param GIT_HTTP_EXPORT_ALL 1;
      fastcgi_param GIT_CONFIG_COUNT 2;
      fastcgi_param GIT_CONFIG_KEY_0 safe.directory;
      fastcgi_param GIT_CONFIG_VALUE_0 *;
      fastcgi_param GIT_CONFIG_KEY_1 http.receivepack;
      fastcgi_param GIT_CONFIG_VALUE_1 true;
      fastcgi_param PATH_INFO $1;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
      fastcgi_param GIT_PROTOCOL $http_git_protocol;
      fastcgi_buffering off;
  `;
  return `
daemon off;
user root;
worker_processes 1;
pid ${home}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  client_max_body_size 0;
  client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy; fastcgi_temp_path ${home}/fastcgi; uwsgi_temp_path ${home}/uwsgi; scgi_temp_path ${home}/scgi;
  server {
    listen 127.0.0.1:${port};
    location = / { return 200; }
    location /files/ { alias ${files}/; }
    location ~ ^/git(/.*)$ { ${backend(`${home}/backend`)} }
    location ~ ^/direct(/.*)$ { ${backend(BACKEND)} }
    location ~ ^/guarded(/.*)$ { auth_basic git; auth_basic_user_file ${home}/users; ${backend(BACKEND)} }
  }
}
`;
};
