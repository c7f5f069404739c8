import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedProblem, inOneLine } from './embedded-problem.js';
import { type Account, canReach } from './account.js';
import { type Cluster, giveTo, runOn } from './cluster.js';
import { clusterName, readPidFile } from './leftovers.js';
import { MAX_SOCKET_PATH } from './owner-lock.js';
import { serverArguments, type Settings } from './settings.js';
import { databaseBytes, sharedBuffersOf } from './shared-buffers.js';

/** Starts `postgres` and resolves once it accepts connections; recovery has no time limit. */
export async function startServer(
  cluster: Cluster,
  socketFolder: string,
  settings: Settings,
  log: (line: string) => void,
): Promise<ChildProcess> {
  const { path, options } = runOn(cluster);
  const own = {
    shared_buffers: `${sharedBuffersOf(databaseBytes(cluster.folder))}MB`,
    ...settings,
    cluster_name: clusterName(cluster.folder),
    unix_socket_directories: socketFolder,
  };
  const { folder, major } = cluster.binaries;
  const server = [join(folder, 'bin/postgres'), '-D', path, ...serverArguments(own, major)];
  const child = spawn('/bin/sh', ['-c', GUARDED, socketFolder, GUARD, ...server], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // Without free descriptors in this process, the child has no streams.
  if (child.pid === undefined) throw doesNotStart(cluster, String(await once(child, 'error')));
  releaseGuardAtEnd(child);
  const last: string[] = [];
  createInterface({ input: child.stderr as Socket }).on('line', (line) => {
    if (last.push(line) > 30) last.shift();
    log(line);
  });
  const failures: string[] = [];
  child.once('error', (error) => failures.push(error.message));
  child.once('exit', (code, signal) => failures.push(`it ended with ${String(code ?? signal)}`));
  while (!isReady(cluster, child)) {
    if (failures[0] !== undefined)
      throw doesNotStart(cluster, `${failures[0]} (${inOneLine(last.slice(-5).join('\n'))})`);
    await sleep(10);
  }
  // The server must not keep this process alive.
  child.unref();
  (child.stderr as Socket).unref();
  return child;
}

const doesNotStart = ({ folder }: Cluster, why: string): EmbeddedProblem =>
  new EmbeddedProblem(`The embedded PostgreSQL in ${folder} does not start: ${why}`);

function isReady(cluster: Cluster, child: ChildProcess): boolean {
  const file = readPidFile(cluster.folder);
  return child.exitCode === null && file?.pid === child.pid && file?.ready === true;
}

/**
 * Guard of the server, which reads descriptor 3: a line means that the server (`$1`) has ended, an end of file that the owner was killed.
 * In the latter case the guard stops the server and removes the folder of its socket (`$0`).
 */
const GUARD = `
read -r line <&3 && exit
for signal in INT QUIT KILL; do
  kill -$signal $1
  seconds=0
  while [ $seconds -lt 20 ]; do
    kill -0 $1 || break 2
    sleep 1
    seconds=$((seconds + 1))
  done
done
rmdir "$0"`;

/** Starts the guard (`$1`) and then becomes the server. The guard is a grandchild, so that the server has no child that it did not start. */
const GUARDED = '(/bin/sh -c "$1" "$0" $$ </dev/null >/dev/null 2>&1 &); shift; exec "$@" 3<&-';

function releaseGuardAtEnd(child: ChildProcess): void {
  const guard = child.stdio[3] as Socket;
  // Ignore the error if the guard has ended.
  guard.on('error', () => undefined);
  guard.unref();
  child.once('exit', () => guard.end('ended\n'));
}

/** Shuts the server down in fast mode, which rolls transactions back and writes a checkpoint; forces it after 20 seconds. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGINT');
  const force = setTimeout(() => child.kill('SIGQUIT'), 20_000);
  await ended;
  clearTimeout(force);
}

/** Creates a folder with a short path for the socket, which only the account of the server may enter. */
export function makeSocketFolder(account: Account): string {
  for (const parent of [tmpdir(), '/tmp', '/var/tmp', '/run']) {
    const prefix = join(parent, 'forgeplane-pg-');
    if (Buffer.byteLength(`${prefix}XXXXXX/.s.PGSQL.5432.lock`) > MAX_SOCKET_PATH) continue;
    try {
      if (!canReach(account, prefix)) continue;
      const folder = mkdtempSync(prefix);
      if (account) giveTo(account, folder);
      return folder;
    } catch {
      // Not writable: try the next one.
    }
  }
  throw new EmbeddedProblem(
    'There is no folder for the socket of PostgreSQL: set TMPDIR to a short, writable path.',
  );
}

/** Removes the socket's folder. */
export function removeSocketFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
