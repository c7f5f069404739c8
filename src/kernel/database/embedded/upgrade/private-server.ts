import type { ChildProcess } from 'node:child_process';
import type { Cluster } from '../cluster.js';
import { createDatabase, DEFAULT_PORT, urlOfSocket } from '../own-database.js';
import { makeSocketFolder, removeSocketFolder, startServer, stopServer } from '../server-process.js';
import type { Settings } from '../settings.js';

/** A server for this process alone. It stops when the process ends, even if it is killed. */
export interface PrivateServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Not the default port: other commands look for the socket of a running service, and must not find this server. */
const OLD_PORT = 5433;

const READ_ONLY: Settings = { default_transaction_read_only: 'on', autovacuum: 'off' };

/** Fast rather than durable: the folder is flushed as a whole before it is used. */
const LOADED: Settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  maintenance_work_mem: '128MB',
  max_wal_size: '1GB',
};

/** Starts a read-only server on the old folder. */
export const startOldServer = (cluster: Cluster): Promise<PrivateServer> =>
  start(cluster, OLD_PORT, READ_ONLY, () => Promise.resolve());

/** Starts a server on the new folder and creates the product's database. The caller must flush the folder afterwards. */
export const startNewServer = (cluster: Cluster): Promise<PrivateServer> =>
  start(cluster, DEFAULT_PORT, LOADED, createDatabase);

async function start(
  cluster: Cluster,
  port: number,
  settings: Settings,
  prepare: (socketFolder: string) => Promise<void>,
): Promise<PrivateServer> {
  const folder = makeSocketFolder(cluster.account);
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child) await stopServer(child);
    removeSocketFolder(folder);
  };
  try {
    child = await startServer(cluster, folder, { ...settings, port: String(port) }, () => undefined);
    await prepare(folder);
    return { url: urlOfSocket(folder, { port }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
