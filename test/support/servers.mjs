// The servers of one test run: a separate PostgreSQL and, if the binary exists, a separate redis-server.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importTypeScript } from './load-typescript.mjs';

const embedded = 'src/kernel/database/embedded/';

/** Starts servers that the environment does not name; returns addresses, the folder of the run and a stop function. */
export async function startServers(env) {
  await removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-test-'));
  chmodSync(folder, 0o755);
  const stops = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [database, redis] = await Promise.all([
      env.TEST_DATABASE_URL ?? startPostgres(folder, stops),
      env.TEST_REDIS_URL ?? startRedis(folder, stops),
    ]);
    return { database, redis, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(folder, stops) {
  const { startEmbeddedPostgres } = await importTypeScript(`${embedded}start-embedded-postgres.ts`);
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    // No data here outlives the run, so nothing waits for the disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  stops.push(() => server.stop());
  return server.url;
}

async function startRedis(folder, stops) {
  if (spawnSync('redis-server', ['--version']).error) {
    const line = '='.repeat(78);
    console.error(
      `${line}\nredis-server is not installed: the tests that need Redis are SKIPPED and counted as skipped\n${line}`,
    );
    return undefined;
  }
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const options = {
      '--port': port,
      '--bind': '127.0.0.1',
      '--dir': folder,
      '--databases': 1024,
      '--appendonly': 'no',
    };
    const child = spawn('redis-server', [...Object.entries(options).flat().map(String), '--save', ''], {
      stdio: 'ignore',
      detached: true,
    });
    child.unref();
    if (await answers(port, child)) {
      writeFileSync(join(folder, 'redis.pid'), String(child.pid));
      stops.push(() => end(child));
      return `redis://127.0.0.1:${port}`;
    }
    await end(child);
    if (attempt === 3) throw new Error('redis-server does not start');
  }
}

/** A currently free TCP port of the loopback interface. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function answers(port, child) {
  for (let waited = 0; waited < 10_000 && child.exitCode === null; waited += 20) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (open) return child.exitCode === null;
    await sleep(20);
  }
  return false;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Stops leftovers of a killed run: its folder is at least a minute old and its lock is free. */
async function removeLeftovers() {
  const old = readdirSync(tmpdir())
    .filter((name) => name.startsWith('forgeplane-test-'))
    .map((name) => join(tmpdir(), name))
    .filter(
      (folder) => Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 60_000,
    );
  if (old.length === 0) return;
  const { lockFolder } = await importTypeScript(`${embedded}owner-lock.ts`);
  const { stopLeftovers } = await importTypeScript(`${embedded}leftovers.ts`);
  for (const folder of old) {
    const lock = await lockFolder(folder).catch(() => undefined);
    if (!lock) continue;
    if (existsSync(join(folder, 'postgres'))) await stopLeftovers(join(folder, 'postgres'), () => undefined);
    stopOldRedis(folder);
    await lock.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

function stopOldRedis(folder) {
  try {
    const pid = Number(readFileSync(join(folder, 'redis.pid'), 'utf8'));
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('redis-server')) process.kill(pid, 'SIGKILL');
  } catch {
    // There was no process, or it has ended.
  }
}
