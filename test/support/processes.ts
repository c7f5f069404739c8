import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopLeftovers } from '#kernel/database/embedded/leftovers.js';

/** Personal access token of `root` in every product process that a test starts. */
export const ROOT_TOKEN = 'root-token-of-the-tests-0123456789';

/** Options for starting a process. */
export interface ProductOptions {
  /** Variables over the defaults (PORT free, HOST loopback, DATA_DIR temporary, ROOT_TOKEN). */
  env?: Record<string, string>;
  /** Folder of another build of the product; default: this one. */
  root?: string | undefined;
  /** DATA_DIR to use and to keep; unset: a temporary one that `stop` and `dispose` remove. */
  dataDir?: string;
  /** Milliseconds until GET /-/health must respond. */
  readyWithin?: number;
}

/** The built product running as a separate process. */
export interface Product {
  /** `http://127.0.0.1:PORT` */
  url: string;
  pid: number;
  dataDir: string;
  /** Its output on stdout and stderr. */
  output(): string;
  /** Exit code or signal, once it has ended in any way. */
  ended: Promise<number | string>;
  /**
   * Stops it (by SIGTERM by default) and returns exit code or signal; kills it after 40 seconds: it needs at
   * most 30.
   */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
  /** SIGKILL; the embedded PostgreSQL lives on, as after a crash. */
  kill(): Promise<void>;
  /** Kills what still runs, including the embedded PostgreSQL, and removes a temporary DATA_DIR. For afterAll. */
  dispose(): Promise<void>;
}

/** The node options of `npm start`: its memory limits are part of the product. */
const [, MALLOC = '', FLAGS = ''] =
  /env MALLOC_ARENA_MAX=(\d+) node ((?:--\S+ )+)/.exec(
    (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }).scripts.start,
  ) ?? [];

/** Starts `dist/app/main.js` as `npm start` does and waits until it serves GET /-/health. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const main = resolve(options.root ?? '.', 'dist/app/main.js');
  if (!existsSync(main))
    throw new Error('dist/app/main.js is missing: run `npm run build` before these tests');
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'forgeplane-product-'));
  const port = options.env?.['PORT'] ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...FLAGS.trim().split(' '), main], {
    env: {
      MALLOC_ARENA_MAX: MALLOC,
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: port,
      EXTERNAL_URL: url,
      DATA_DIR: dataDir,
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)));
  const ended = new Promise<number | string>((done) =>
    child.once('close', (code, signal) => done(code ?? signal ?? '')),
  );
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const product: Product = {
    url,
    pid: child.pid ?? 0,
    dataDir,
    output: () => text,
    ended,
    kill,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const force = setTimeout(() => child.kill('SIGKILL'), 40_000);
      const result = await ended;
      clearTimeout(force);
      return result;
    },
    dispose: async () => {
      await kill();
      if (existsSync(join(dataDir, 'postgres')))
        await stopLeftovers(join(dataDir, 'postgres'), () => undefined);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await untilReady(url, child, options.readyWithin ?? 55_000);
  } catch (error) {
    await product.dispose();
    throw new Error(`${(error as Error).message}\n${text}`, { cause: error });
  }
  return product;
}

async function untilReady(url: string, child: ChildProcess, within: number): Promise<void> {
  const end = Date.now() + within;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('The product ended before it was ready');
    const answer = await fetch(`${url}/-/health`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`The product was not ready within ${within} ms`);
}

/** A currently free TCP port of the loopback interface. */
export function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
