import { execFile, type SpawnOptions } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flush } from '#kernel/disk/durable.js';
import { EmbeddedProblem, inOneLine } from './embedded-problem.js';
import { type Account, canReach, nobody, serverAccount, takeOver } from './account.js';
import { type Binaries, findBinaries } from './binaries.js';
import { finishSwap } from './upgraded-folder.js';

/** A database folder, with the account and programs to run it. */
export interface Cluster {
  folder: string;
  account: Account;
  binaries: Binaries;
}

/** Name of the only role and the only database of the embedded PostgreSQL. */
export const DATABASE = 'forgeplane';

/** Opens DATA_DIR/postgres; creates it at the first start. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  finishSwap(dataDir);
  const account = serverAccount(folder);
  if (!canReach(account, folder) && process.platform !== 'linux') {
    throw new EmbeddedProblem(
      `The embedded PostgreSQL cannot run as root below ${dataDir}, because a parent folder is closed to other users. ` +
        'Choose another DATA_DIR, run as an ordinary user, or set DATABASE_URL.',
    );
  }
  const cluster: Cluster = { folder, account, binaries: findBinaries(account, dataDir) };
  if (!existsSync(folder)) await createCluster(cluster, dataDir);
  const made = majorOf(folder);
  const { major } = cluster.binaries;
  if (made > major) throw new EmbeddedProblem(newerFolder(folder, made, major));
  if (made < major)
    throw new EmbeddedProblem(
      `${folder} was made by PostgreSQL ${made}, but this release uses PostgreSQL ${major}: stop all processes, run \`npm run cli -- database upgrade\`, which keeps the old folder, and start again.`,
    );
  return cluster;
}

/** Message for a folder of a newer PostgreSQL. */
export const newerFolder = (folder: string, made: number, major: number): string =>
  `${folder} was made by PostgreSQL ${made}, but this release uses the older PostgreSQL ${major}, and downgrades are not possible: start the newer release again, or restore a backup into another DATA_DIR.`;

/** Returns the major version of PostgreSQL that created a data folder. @throws EmbeddedProblem if it is not a data folder */
export function majorOf(folder: string): number {
  const problem = `${folder} is not a PostgreSQL folder that this user can read`;
  let text: string;
  try {
    text = readFileSync(join(folder, 'PG_VERSION'), 'utf8');
  } catch (error) {
    throw new EmbeddedProblem(problem, { cause: error });
  }
  if (!/^\d+\s*$/.test(text)) throw new EmbeddedProblem(problem);
  return Number.parseInt(text, 10);
}

/**
 * How to start a program on the cluster. A parent of DATA_DIR may be closed to the account (a home with mode 0700):
 * the kernel enters the working directory while the child is still root, and /proc/self/cwd then leads there
 * regardless of the modes of the parents. So the data always stays in DATA_DIR.
 */
export function runOn(cluster: Cluster, folder = cluster.folder): { path: string; options: SpawnOptions } {
  const path = canReach(cluster.account, folder) ? folder : '/proc/self/cwd';
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
  return { path, options: { ...cluster.account, cwd: folder, env, detached: true } };
}

/**
 * Runs initdb in a temporary folder and renames it, so that an interrupted first start never leaves a partial database. The name is durable before
 * anything is stored: after a power failure, the next start would remove the temporary folder with all of it.
 */
export async function createCluster(cluster: Cluster, dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    // The initdb of a killed process may still write to it, and ends soon without it.
    const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };
    if (name.startsWith('postgres.new-')) await rm(join(dataDir, name), removal);
  }
  const fresh = mkdtempSync(join(dataDir, 'postgres.new-'));
  const maker = { ...cluster, account: nobody(cluster.account) };
  if (maker.account) giveTo(maker.account, fresh);
  const { path, options } = runOn(maker, fresh);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const role = [`--username=${DATABASE}`, '--auth=trust', '--no-instructions'];
  await new Promise<void>((resolve, reject) => {
    const initdb = join(cluster.binaries.folder, 'bin/initdb');
    // What it has started ends without it.
    const endWithUs = (): void => void child.kill('SIGKILL');
    process.once('exit', endWithUs);
    const child = execFile(
      initdb,
      ['-D', path, ...locale, ...role],
      { ...options, encoding: 'utf8' },
      (error, output, problems) => {
        process.off('exit', endWithUs);
        if (error)
          reject(
            new EmbeddedProblem(
              `DATA_DIR ${dataDir} cannot hold a database: ${inOneLine(`${problems}\n${error.message}\n${output}`)}`,
            ),
          );
        else resolve();
      },
    );
  });
  takeOver(cluster.account, fresh);
  renameSync(fresh, cluster.folder);
  await flush(dataDir);
}

/** Changes the owner of a folder to the account that PostgreSQL runs under. */
export function giveTo(account: NonNullable<Account>, folder: string): void {
  try {
    chownSync(folder, account.uid, account.gid);
  } catch (error) {
    throw new EmbeddedProblem(
      `The embedded PostgreSQL does not run as root, and user id ${account.uid} is not available here. ` +
        'Run as an ordinary user, or set DATABASE_URL.',
      { cause: error },
    );
  }
}
