import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { startServers } from './servers.mjs';

/** Before the first test file: starts the servers and hands their addresses to the workers. */
export default async function setup() {
  // Each project names this file, jest calls it once; the guard is for watch mode.
  if (globalThis.testServers) return;
  if (process.env.TMPDIR === undefined && inMemory()) process.env.TMPDIR = MEMORY;
  const servers = await startServers(process.env);
  globalThis.testServers = servers;
  process.env.TEST_DATABASE_URL = servers.database;
  // Leftovers of a killed worker there are removed with the run.
  process.env.TEST_FOLDER = servers.folder;
  if (servers.redis) process.env.TEST_REDIS_URL = servers.redis;
  let stopping = false;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void servers.stop().finally(() => process.exit(code));
    });
  }
}

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * Whether the files of tests may be in memory: each test file has its own database, and the 1,100 files of a
 * database cost 0.8 s of CPU on a disk, but 0.04 s there. Not if memory is short, or programs cannot be run
 * from there.
 */
function inMemory() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm \S+ (\S+)/m)?.[1] ?? 'noexec';
    return bavail * bsize >= 4 * GIB && freemem() >= 8 * GIB && !mount.split(',').includes('noexec');
  } catch {
    return false;
  }
}
