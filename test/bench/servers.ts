import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endingHere, removedHere } from './ending.js';

/** A server process under measurement. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first response. */
  readonly readyAfterMs: number;
  /** Statements of the requests logged so far, newest last. */
  readonly statements: readonly number[];
  stop(): Promise<void>;
}

const built = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A free TCP port of the loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A folder that is removed at the end. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'forgeplane-bench-'));
  return { path, remove: removedHere(path) };
}

const FLAGS = ['--max-old-space-size=1024', '--no-allocation-site-pretenuring', '--max-semi-space-size=8', '--initial-old-space-size=96'];

/** Starts the product as shipped, request log included, with the given variables. */
export const startProduct = (env: Record<string, string>): Promise<Server> => startNode([...FLAGS, built('app/main.js')], env);

/** Starts that many request processes and one for jobs as `npm start` does; the id is that of the primary. */
export const startProcesses = (processes: number, env: Record<string, string>): Promise<Server> =>
  startNode([...FLAGS, built('../scripts/start.mjs')], { ...env, API_PROCESSES: String(processes) });

async function startNode(args: readonly string[], env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const statements: number[] = [];
  const started = performance.now();
  const child = endingHere(
    spawn(process.execPath, args, {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        PORT: String(port),
        HOST: '127.0.0.1',
        MALLOC_ARENA_MAX: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  collectStatements(child, statements);
  const url = `http://127.0.0.1:${port}`;
  await waitFor(`${url}/-/health`, child);
  return { url, pid: child.pid ?? 0, readyAfterMs: performance.now() - started, statements, stop: () => stop(child) };
}

/** Starts a script of the benches with some arguments and a port. */
async function startScript(script: string, ...args: string[]): Promise<Server> {
  const port = await freePort();
  const started = performance.now();
  const child = endingHere(spawn(process.execPath, [built(`test/bench/${script}.js`), ...args, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] }));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(url, child);
  return { url, pid: child.pid ?? 0, readyAfterMs: performance.now() - started, statements: [], stop: () => stop(child) };
}

/** Starts the reference. */
export const startFloor = (databaseUrl: string): Promise<Server> => startScript('floor', databaseUrl);

/** Starts the reference in so many processes. */
export const startClusterFloor = (databaseUrl: string, processes: number): Promise<Server> => startScript('cores-floor', databaseUrl, String(processes));

/** Starts the reference for writes. */
export const startWritesFloor = (databaseUrl: string, repositories: string): Promise<Server> => startScript('writes-floor/server', databaseUrl, repositories);

/** Starts the reference for downloads: Express that sends one file. */
export const startFileFloor = (path: string): Promise<Server> => startScript('file-floor', path);

/** Starts the reference for git: a server that passes everything to `git http-backend`. */
export const startGitFloor = (repositories: string): Promise<Server> => startScript('git-floor', repositories);

/** Starts `oidc-provider` on an empty database. */
export const startOidcPeer = (databaseUrl: string): Promise<Server> => startScript('peers/oidc-server', databaseUrl);

function collectStatements(child: ChildProcess, statements: number[]): void {
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    // Only the tail is of interest; parsing all of it would load the machine that measures.
    const last = lines.findLast((line) => line.includes('"db_count"'));
    const count = /"db_count":(\d+)/.exec(last ?? '')?.[1];
    if (count !== undefined) statements.push(Number(count));
    if (statements.length > 1000) statements.splice(0, 500);
  });
}

/** Waits for the first response of a process. */
export async function waitFor(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The server at ${url} ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    if (answer) return;
    await sleep(10);
  }
  throw new Error(`The server at ${url} did not answer`);
}

/** Ends a process, and waits for that. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}
