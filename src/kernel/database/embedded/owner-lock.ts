import { randomBytes } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedProblem } from './embedded-problem.js';

/** Longest path of a Unix socket that all systems accept. */
export const MAX_SOCKET_PATH = 103;

/** Lock of a folder; the kernel releases it when the process ends, however it ends. */
export interface OwnerLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only owner of `folder`. The lock is a listening unix socket in it: unlike a pid file it
 * cannot outlive its process, mistake a reused pid or a zombie, and it also holds between two containers.
 * @throws Error naming the owner's pid if another running process owns the folder.
 */
export async function lockFolder(folder: string): Promise<OwnerLock> {
  const address = shortPath(folder, 'embedded.lock');
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const server = await listen(address.path);
      if (server) {
        server.unref();
        return {
          release: () =>
            new Promise((resolve) =>
              server.close(() => {
                address.close();
                resolve();
              }),
            ),
        };
      }
      // A socket that is bound but not listening yet also refuses connections: try twice before treating its owner as dead.
      const owner = (await ask(address.path)) ?? (await sleep(50).then(() => ask(address.path)));
      if (owner !== undefined) throw inUse(folder, owner);
      await removeDead(address.path, folder);
    }
    throw inUse(folder, 'unknown');
  } catch (error) {
    address.close();
    throw error;
  }
}

function inUse(folder: string, pid: string): EmbeddedProblem {
  return new EmbeddedProblem(
    `DATA_DIR ${folder} is in use by another running Forgeplane process (pid ${pid}). ` +
      'Stop that one first, or give this one another DATA_DIR.',
  );
}

/** Returns a path that is short enough for a socket: a deep folder is opened, and addressed by its descriptor. */
function shortPath(folder: string, name: string): { path: string; close(): void } {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return { path, close: () => undefined };
  if (process.platform !== 'linux')
    throw new EmbeddedProblem(`DATA_DIR ${folder} is too long: use a shorter path.`);
  const descriptor = openSync(folder, 'r');
  return { path: `/proc/self/fd/${descriptor}/${name}`, close: () => closeSync(descriptor) };
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else
        reject(
          new EmbeddedProblem(`DATA_DIR cannot be locked, no socket can be made in it: ${error.message}`),
        );
    });
    server.listen(path, () => resolve(server));
  });
}

/** Returns the pid of the running owner; undefined if no process listens. A suspended process counts as running. */
function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let pid = '';
    let connected = false;
    const socket = connect(path, () => (connected = true));
    const done = (): void => {
      socket.destroy();
      resolve(connected ? pid || 'unknown' : undefined);
    };
    socket.setTimeout(1000, done);
    socket.on('data', (data) => (pid += data.toString()));
    socket.on('end', done);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A socket of another user that we may not open counts as owned by a running process.
      connected ||= error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT';
      done();
    });
  });
}

/** Removes the socket of a dead owner; restores it if a new owner created it in the meantime. */
async function removeDead(path: string, folder: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const owner = await ask(aside);
  if (owner !== undefined) {
    renameSync(aside, path);
    throw inUse(folder, owner);
  }
  rmSync(aside, { force: true });
}
